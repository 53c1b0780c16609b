import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isCode } from './is-code.ts';

const suffix = /\.(\d+)\.part(\.wal|\.tmp)?$/;

/** The path of a file until it is complete, beside the place of the complete one. */
export function unfinishedFile(file: string): string {
  return `${file}.${process.pid}.part`;
}

/** Removes an unfinished file, and what DuckDB has made beside it. */
export async function removeUnfinished(unfinished: string): Promise<void> {
  for (const path of [unfinished, `${unfinished}.wal`, `${unfinished}.tmp`])
    await rm(path, { recursive: true, force: true });
}

/** Removes what killed processes have left of a file. */
export async function removeAbandoned(file: string): Promise<void> {
  for (const name of await readdir(dirname(file))) {
    const pid = name.startsWith(`${basename(file)}.`) ? suffix.exec(name)?.[1] : undefined;
    if (pid !== undefined && !isRunning(Number(pid)))
      await rm(join(dirname(file), name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return isCode(error, 'EPERM');
  }
}
