import { parseWithDigits } from '../../base/text/json-number.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { isObject } from './encode/record-members.ts';
import { BadRows } from './parse/bad-rows.ts';
import { MadeIds } from './parse/made-ids.ts';
import { RowPreparation } from './parse/row-preparation.ts';
import { type BadRowHandling, withoutBadRows } from './parse/without-bad-rows.ts';
import type { RowInput } from './row-file.ts';
import { parsedRows, textsOf } from './row-target.ts';

/** What an import would do, as far as it can be told without the store. */
export interface DryRun {
  readonly rows: number;
  readonly badRows: BadRows;
  /** The first valid rows as JSON, as they would be stored. */
  readonly first: readonly string[];
}

const shownRows = 3;

/** Reads and checks rows, and stores none. */
export async function dryRun(
  source: Source,
  input: RowInput,
  handling: Pick<BadRowHandling, 'onFinerTimes'>,
): Promise<DryRun> {
  const badRows = new BadRows();
  const first: string[] = [];
  let rows = 0;
  const preparation = new RowPreparation(source, new MadeIds(source.name), input.zone);
  for await (const sorted of withoutBadRows(parsedRows(input, source), badRows, {
    ...handling,
    skipBadRows: true,
  })) {
    rows += sorted.chunk.rows.reduce((sum, part) => sum + part.rows, 0);
    for (const { number, text } of first.length < shownRows ? textsOf(sorted) : []) {
      const row = parseWithDigits(text);
      if (first.length >= shownRows || !isObject(row)) break;
      preparation.prepare(row, number, text);
      first.push(JSON.stringify(row));
    }
  }
  return { rows, badRows, first };
}
