/** Our identifier, with the publisher. A test holds it against `package.json`. */
export const extensionId = 'easel.easel';
