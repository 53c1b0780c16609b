import { pack } from 'tar-stream';
import type { TreeFile } from './tree-file.ts';

/**
 * A tarball of these files. The same files always give the same bytes, on every machine. So it is not compressed: versions of zlib
 * compress differently.
 */
export async function writeTar(files: readonly TreeFile[]): Promise<Buffer> {
  const tar = pack();
  const inOrder = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, bytes } of inOrder)
    tar.entry({ name: path, mode: 0o644, mtime: new Date(0), uid: 0, gid: 0 }, bytes);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
