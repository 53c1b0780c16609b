import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Problem } from '../../base/errors/problem.ts';
import { fileFailure, isNoFile, readWrittenFile } from '../../base/system/read-written-file.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import { type ReadBoard, readBoard } from './read-board.ts';

export const boardExtension = '.yaml';

/** The name that a board's file can have, without its extension. */
export const boardName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** The folder of boards is beside that of the endpoints, which they call. */
export function boardsDir({ endpointsDir }: { readonly endpointsDir: string }): string {
  return path.join(path.dirname(endpointsDir), 'boards');
}

/** The boards of a folder, by name. A folder that isn't there has none. */
export async function loadBoards(folder: string): Promise<readonly ReadBoard[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isNoFile(error)) return [];
    return error instanceof Error ? error : new Error(String(error));
  });
  if (names instanceof Error) return [unread('', shownFile(folder), names)];
  const files = names.filter((name) => name.endsWith(boardExtension) && !name.startsWith('.')).sort();
  return Promise.all(files.map((name) => loadBoard(path.join(folder, name))));
}

async function loadBoard(location: string): Promise<ReadBoard> {
  const name = path.basename(location, boardExtension);
  const file = shownFile(location);
  try {
    const read = readBoard(name, file, (await readWrittenFile(location)).toString());
    if (boardName.test(name)) return read;
    return { ...read, board: undefined, problems: [...read.problems, misnamed(file)] };
  } catch (error) {
    return unread(name, file, error);
  }
}

function misnamed(file: string): Problem {
  const text = "The name of a board's file has letters, digits, dots, hyphens and underscores";
  return { file, line: 1, column: 1, text };
}

function unread(name: string, file: string, error: unknown): ReadBoard {
  const place = { line: 1, column: 1 };
  const problem = { file, ...place, text: `cannot be read (${fileFailure(error)})` };
  return { name, file, text: '', board: undefined, problems: [problem], locate: () => place };
}
