import { readdirSync, readFileSync } from 'node:fs';
import { lowerThread } from '../../priority.ts';

/** What Linux calls libuv's threads, and those that are started by them, as DuckDB's are. */
const threadName = 'libuv-worker';

/**
 * Puts the threads that queries run on behind the event loop. DuckDB's database must be open: further threads of its kind get the
 * same priority. Only where the system tells of threads as Linux does.
 */
export function putQueriesBehindEventLoop(): void {
  for (const id of threads()) if (nameOf(id) === threadName) lowerThread(Number(id));
}

const folder = '/proc/self/task';

function threads(): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function nameOf(id: string): string | undefined {
  try {
    return readFileSync(`${folder}/${id}/comm`, 'utf8').trim();
  } catch {
    return undefined;
  }
}
