import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { megabytes } from '../../../base/forms/bytes.ts';
import { maxWrittenBytes } from '../../../base/system/read-written-file.ts';
import { OriginError } from './origin-error.ts';
import { isOfTree, type TreeFile, treeFolders, treeLimits } from './tree-file.ts';

const gzipMagic = Buffer.of(0x1f, 0x8b);

/**
 * The files of endpoints and sources in a tarball, compressed by gzip or not. Others in it are ignored, but a path that leads out
 * of its folder, and a link among the files, refuse all of it. Nothing is written.
 *
 * @throws OriginError saying why it can't be used
 */
export async function readTar(tar: Buffer): Promise<readonly TreeFile[]> {
  const isCompressed = tar.subarray(0, gzipMagic.length).equals(gzipMagic);
  try {
    return await readEntries(isCompressed ? Readable.from([tar]).pipe(createGunzip()) : Readable.from([tar]));
  } catch (error) {
    if (error instanceof OriginError || !(error instanceof Error)) throw error;
    throw unusable(`it is no complete tarball (${error.message})`, error);
  }
}

async function readEntries(bytes: Readable): Promise<readonly TreeFile[]> {
  const files = new Map<string, TreeFile>();
  const entries = extract();
  const feeding = feed(bytes, entries);
  // The loop below reports its error.
  feeding.catch((error: Error) => entries.destroy(error));
  for await (const entry of entries) {
    const path = checkedPath(entry.header.name);
    if (isFileOfTree(path, entry.header)) {
      if (files.has(path)) throw unusable(`${path} is in it twice`);
      if (files.size >= treeLimits.files) throw unusable(`it has more than ${treeLimits.files} files`);
      files.set(path, { path, bytes: await buffer(entry) });
    } else {
      entry.resume();
    }
  }
  await feeding;
  if (![...files.keys()].some((path) => path.startsWith(`${treeFolders.endpoints}/`)))
    throw unusable(`it has no folder ${treeFolders.endpoints} with files`);
  return [...files.values()];
}

/** A small file can be compressed of gigabytes: what comes out is counted. */
async function feed(bytes: Readable, entries: ReturnType<typeof extract>): Promise<void> {
  let size = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > treeLimits.bytes) throw unusable(`it is larger than ${megabytes(treeLimits.bytes)}`);
    if (!entries.write(chunk)) await new Promise<void>((resolve) => entries.once('drain', () => resolve()));
    if (entries.destroyed) return;
  }
  entries.end(null);
}

function isFileOfTree(path: string, { type, size }: Header): boolean {
  const isWithin = isOfTree(path) || isOfTree(`${path}/file`);
  if (type === 'directory' || !isWithin) return false;
  if (type !== 'file') throw unusable(`${path} is a link or a device, not a file`);
  if (size > maxWrittenBytes) throw unusable(`${path} is larger than ${megabytes(maxWrittenBytes)}`);
  return isOfTree(path);
}

/** The path without `./` before it and `/` after it. */
function checkedPath(name: string): string {
  const path = name.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  if (path === '' || path === '.') return '';
  const isSafe = path.split('/').every((part) => part !== '' && part !== '..' && part !== '.');
  if (!isSafe || /[\\\p{Cc}]/u.test(path))
    throw unusable(`it has a path that leads out of it or is none: ${JSON.stringify(name)}`);
  return path;
}

function unusable(message: string, cause?: unknown): OriginError {
  return new OriginError('unusable', message, cause);
}
