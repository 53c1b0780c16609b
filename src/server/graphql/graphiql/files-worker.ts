import { parentPort } from 'node:worker_threads';
import { buildFiles } from './build-files.ts';

/** Builds the files and ends, which frees the memory that building took. */
const files = await buildFiles();
parentPort?.postMessage(
  files,
  files.map(({ content }) => content.buffer),
);
