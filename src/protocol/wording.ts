/** Numbers, plurals and lists, for the pages as well. */
export * from '../images/wording.js';
