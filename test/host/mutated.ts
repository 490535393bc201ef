/**
 * Whether the tests run once for each change of a file, thousands of times in all. What is looked for
 * then is a change that no test notices; only for this the pictures are small and the schedules few.
 */
export const isMutated = process.env['EASEL_MUTATED'] === '1';
