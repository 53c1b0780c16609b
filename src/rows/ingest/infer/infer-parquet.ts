import { plainSettings } from '../../../definitions/sources/source.ts';
import { presentTimes } from '../encode/accepted-times.ts';
import { microsOfText } from '../encode/time-of-text.ts';
import { parquetFields } from '../parquet/parquet-fields.ts';
import { openParquetFile } from '../parquet/parquet-file.ts';
import type { ColumnRange } from '../parquet/parquet-statistics.ts';
import { cutTimes } from './cut-times.ts';
import type { InferredSchema } from './infer-fields.ts';
import { proposedKey } from './proposed-key.ts';

/** Enough for reading what a file says about itself. */
const options = { memoryLimit: '500MB', threads: 1 };

/**
 * Proposes the source file for a Parquet file, from its own types.
 *
 * @throws GatewayError for a file that can't be read
 */
export async function inferParquet(file: string): Promise<InferredSchema> {
  const parquet = await openParquetFile(file, options);
  try {
    const { names, types, rowCount } = parquet;
    const { ranges, full } = await parquet.statistics();
    const untyped = await parquet.listsWithNull();
    const fields = parquetFields({ names, types }, ranges, untyped);
    const notes = [...untyped].map(
      (path) => `${JSON.parse(path).join('.')}: some values are lists with null; JSON takes all of them`,
    );
    if (parquet.hasFinerTimes) notes.push(cutTimes);
    const distinct = await parquet.distinct(
      names.filter((name) => /(?:id|uuid|guid|key|code|sku|isbn|slug|number|no)$/i.test(name)),
    );
    const time = fields.find(({ name }) => name.toLowerCase() === 'timestamp');
    const key = proposedKey(fields, {
      isAlways: (name) => full.has(name),
      isDistinct: (name) => distinct.has(name),
      timesOf: (name) => timesOf(ranges.get(name)),
      accepted: presentTimes(),
      count: rowCount,
      otherTime: time === undefined || time.type === 'TIMESTAMP' ? undefined : time.type,
    });
    return {
      fields: key.fields,
      settings: { ...plainSettings, ...key.settings },
      notes: [...notes, ...key.notes],
      rows: rowCount,
      read: rowCount,
      canBeImported: key.canBeImported,
    };
  } finally {
    parquet.close();
  }
}

function timesOf(range: ColumnRange | undefined): readonly [bigint, bigint] | undefined {
  const [first, last] = [range?.min, range?.max].map((text) => microsOfText(text ?? ''));
  return first === undefined || last === undefined ? undefined : [first, last];
}
