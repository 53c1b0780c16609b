import path from 'node:path';

/** The path of a file as it is in messages: relative to the current folder. */
export function shownFile(file: string): string {
  return path.relative('', file) || file;
}
