import { randomUUID } from 'node:crypto';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isCode } from '../../base/system/is-code.ts';
import type { Log } from '../../base/terminal/log.ts';
import { parsedJson } from '../../base/text/parsed-json.ts';
import { type Change, changeRow } from './change-records.ts';
import type { RecordRow } from './record-writer.ts';

/** The file in the data folder with what commands have changed in a store that no gateway had. */
const journalName = 'changes.ndjson';

const journalRow = z.looseObject({ id: z.string(), timestamp: z.string(), action: z.string() });

interface JournalParts {
  readonly dataDir: string;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Notes a change of the store by a command, for the next gateway that has it. The command has the store meanwhile. It has done
 * its work: a failure is only warned of.
 *
 * @param now in milliseconds since the epoch
 */
export async function journalChange(
  { dataDir, log }: JournalParts,
  change: Change,
  now = Date.now(),
): Promise<void> {
  const row = changeRow({ at: now, ...change }, randomUUID());
  try {
    await appendFile(join(dataDir, journalName), `${JSON.stringify(row)}\n`, { mode: 0o600 });
  } catch (error) {
    log.warn(`This change is not recorded in gateway.changes: ${reasonOf(error)}`);
  }
}

/**
 * Records what commands have noted. The file is removed when all of it is stored.
 *
 * @param record is called with each row, and calls back when the row is stored
 */
export async function takeJournal(
  { dataDir, log }: JournalParts,
  record: (row: RecordRow, whenStored: () => void) => void,
): Promise<void> {
  const file = join(dataDir, journalName);
  try {
    const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
    const rows = lines.flatMap((line) => journalRow.safeParse(parsedJson(line)).data ?? []);
    if (rows.length < lines.length) log.warn(`${file}: some lines are no changes; they are not recorded`);
    let left = rows.length;
    for (const row of rows)
      record(row, () => {
        left -= 1;
        if (left === 0) void rm(file, { force: true }).catch(() => {});
      });
  } catch (error) {
    if (!isCode(error, 'ENOENT')) log.warn(`${file} can't be read: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
