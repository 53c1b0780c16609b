import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import path from 'node:path';
import type { Problem } from '../../base/errors/problem.ts';
import type { FolderFiles } from '../../base/system/folder-files.ts';
import { fileFailure } from '../../base/system/read-written-file.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import { type Mention, mentionsIn, pathOf } from './composition/mentions.ts';
import type { QueryFolder } from './composition/readable-query.ts';
import type { QuerySettings } from './settings.ts';
import { readSettingsComment, readViewComment, type SettingsComment } from './settings-comment.ts';

/** The file of an endpoint or a view, as read. */
export interface QueryFile {
  readonly location: string;
  /** The path of the file, as messages show it. */
  readonly file: string;
  readonly folder: QueryFolder;
  /**
   * The path by which other queries read it, such as `endpoints.orders`. Undefined if its settings can't be read, and for older
   * versions.
   */
  readonly path: string | undefined;
  readonly text: string;
  /** A digest of its bytes. */
  readonly digest: string;
  readonly comment: SettingsComment<QuerySettings>;
  /** The same comment, of an endpoint. */
  readonly endpoint?: SettingsComment;
  /** What it may read besides tables. */
  readonly mentions: readonly Mention[];
}

/**
 * Reads the file of an endpoint or a view.
 *
 * @param role what it is: an endpoint, a view, or an older version of an endpoint
 * @param known the file as it was the last time, which is returned if its bytes are the same
 */
export async function readQueryFile(
  location: string,
  role: QueryFolder | 'older',
  files: FolderFiles,
  known: QueryFile | undefined,
): Promise<QueryFile | Problem> {
  const file = shownFile(location);
  let bytes: Buffer;
  try {
    bytes = await files.read(location);
  } catch (error) {
    return { file, line: 1, column: 1, text: unreadable(error) };
  }
  if (!isUtf8(bytes)) {
    return { file, line: lineOfBadByte(bytes), column: 1, text: 'This line is not valid UTF-8' };
  }
  const digest = hash('sha256', bytes);
  if (known?.digest === digest) return known;
  const text = bytes.toString();
  const folder = role === 'views' ? 'views' : 'endpoints';
  const endpoint = folder === 'endpoints' ? readSettingsComment(file, text) : undefined;
  const comment = endpoint ?? readViewComment(file, text);
  const named = folder === 'views' ? path.basename(location, '.sql') : endpoint?.settings?.name;
  const name = role === 'older' ? undefined : named;
  return {
    ...{ location, file, folder, text, digest, comment, ...(endpoint && { endpoint }) },
    path: name === undefined ? undefined : pathOf(folder, [name]),
    mentions: mentionsIn(text.slice(comment.queryStart)),
  };
}

/** In words, why a file or folder can't be read. */
export function unreadable(error: unknown): string {
  return `cannot be read (${fileFailure(error)})`;
}

function lineOfBadByte(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; ; line++) {
    const end = bytes.indexOf(0x0a, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}
