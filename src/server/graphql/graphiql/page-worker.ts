import { parentPort, workerData } from 'node:worker_threads';
import { buildPage, type PageContent } from './build-page.ts';

/** Builds one page and ends, which frees the memory that building took. */
const page = await buildPage(workerData as PageContent);
parentPort?.postMessage(
  page,
  [page.html, ...page.files.map(({ content }) => content)].map(({ buffer }) => buffer),
);
