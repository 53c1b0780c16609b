import type { Source } from '../../../definitions/sources/source.ts';
import { isoMicros } from '../making/instant.ts';
import type { MadeUpRow, MadeUpValue } from '../making/made-up-row.ts';
import type { Random } from '../making/random.ts';
import { columnMaker } from './column-maker.ts';
import type { ExampleValues } from './example-values.ts';

/**
 * Makes up rows from the names, types and modes of a source's columns.
 *
 * @returns makes a row for each instant, in microseconds since the epoch
 */
export function schemaRows(
  source: Source,
  examples: ExampleValues,
): (instants: readonly number[], random: Random) => Generator<MadeUpRow> {
  const makers = source.columns
    .filter(({ name }) => !isOwn(name))
    .map((column) => [column.name, columnMaker(column, examples)] as const);
  const spelling = (wanted: string) =>
    source.columns.find(({ name }) => name.toLowerCase() === wanted)?.name ?? wanted;
  const [id, timestamp] = [spelling('id'), spelling('timestamp')];
  return function* (instants, random) {
    for (const at of instants) {
      const row: Record<string, MadeUpValue> = { [id]: random.uuid(), [timestamp]: isoMicros(at) };
      for (const [name, make] of makers) row[name] = make(random, at);
      yield { source: source.name, at, row };
    }
  };
}

/** Every row has an id and a time of its own. */
function isOwn(column: string): boolean {
  return ['id', 'timestamp'].includes(column.toLowerCase());
}
