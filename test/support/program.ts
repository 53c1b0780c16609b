import { resolve } from 'node:path';

/** The program that tests start: the one that the package has, which starts faster than the sources. */
export const program = resolve('dist/main.js');
