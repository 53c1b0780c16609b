/** A file of endpoints or sources, wherever it comes from. */
export interface TreeFile {
  /** Below the folder of both, with `/`: `endpoints/orders.sql`. */
  readonly path: string;
  readonly bytes: Buffer;
}

/** What a tree of endpoints and sources has at its top: these folders with all below them, and this file. */
export const treeFolders = { endpoints: 'endpoints', sources: 'sources', boards: 'boards' } as const;
export const treeLock = 'endpoints.lock';

/** The names at the top. */
export const treeTops: readonly string[] = [...Object.values(treeFolders), treeLock];

/** Beyond these, something is not a tree of endpoints. */
export const treeLimits = { files: 20_000, bytes: 100_000_000 };

/** Whether a path is one of a tree. Hidden files are not: programs and systems leave them. */
export function isOfTree(path: string): boolean {
  const [top = '', ...rest] = path.split('/');
  if (rest.length === 0) return path === treeLock;
  return treeTops.includes(top) && top !== treeLock && !rest.some((name) => name.startsWith('.'));
}
