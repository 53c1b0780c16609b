import path from 'node:path';

/** A path as it is in messages, relative to the current folder, as `loadEndpoints` writes it. */
export function shownPath(file: string): string {
  return path.relative('', file) || file;
}
