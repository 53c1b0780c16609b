import { counted } from '../../../base/text/counted.ts';
import { parseWithDigits } from '../../../base/text/json-number.ts';
import { plainSettings } from '../../../definitions/sources/source.ts';
import type { TableField } from '../../../definitions/sources/table-field.ts';
import { arrowFields } from '../arrow/arrow-fields.ts';
import { openArrow } from '../arrow/arrow-file.ts';
import { presentTimes } from '../encode/accepted-times.ts';
import type { InferredSchema } from './infer-fields.ts';
import { proposedKey } from './proposed-key.ts';
import { isRecord, NotInferable, SeenRecord } from './seen-record.ts';

/** Rows that are read for the ranges of their values. */
const maxRead = 200_000;

/**
 * Proposes the source file for an Arrow file or stream, from its own types.
 *
 * @param source a path, or the bytes of a stream
 * @throws NotInferable; GatewayError for one that can't be read
 */
export async function inferArrow(source: string | AsyncIterable<Uint8Array>): Promise<InferredSchema> {
  const arrow = await openArrow(source);
  try {
    const notes: string[] = [];
    const own = arrowFields(arrow.schema, notes);
    const root = new SeenRecord();
    let rows = 0;
    let faults = 0;
    let firstFault = '';
    for await (const { number, text, fault } of arrow.lines([])) {
      rows += 1;
      if (fault !== undefined) {
        faults += 1;
        firstFault ||= `${number}: ${fault}`;
      }
      const row = fault === undefined && rows <= maxRead ? parseWithDigits(text) : undefined;
      if (isRecord(row)) root.add(row);
    }
    if (rows === 0 && own.length === 0) throw new NotInferable('The file has no columns.');
    if (faults > 0)
      notes.push(
        `${counted(faults, 'row')} can't be imported; the first is row ${firstFault}. --skip-bad-rows leaves them out`,
      );
    const seen = new Map(root.propose(() => undefined, false).map((field) => [field.name, field]));
    const fields = own.map((field) => withRange(field, seen.get(field.name)));
    const key = proposedKey(fields, {
      isAlways: (name) => root.isAlways(name),
      isDistinct: (name) => root.isDistinct(name),
      timesOf: (name) => root.timesOf(name),
      accepted: presentTimes(),
      count: root.records,
      otherTime: undefined,
    });
    return {
      fields: key.fields,
      settings: { ...plainSettings, ...key.settings },
      notes: [...notes, ...key.notes],
      rows,
      read: Math.min(rows, maxRead),
      canBeImported: key.canBeImported,
    };
  } finally {
    await arrow.close();
  }
}

/** With the range of its values, if the values seem to be of its type. */
function withRange(field: TableField, seen: TableField | undefined): TableField {
  if (field.description !== undefined || seen?.description === undefined) return field;
  // The texts of its times have no offset.
  const [description] = seen.description.split(' Without an offset', 1);
  return field.type === seen.type ? { ...field, ...(description && { description }) } : field;
}
