import { counted } from '../../../base/text/counted.ts';
import { parseWithDigits } from '../../../base/text/json-number.ts';
import { plainSettings } from '../../../definitions/sources/source.ts';
import type { TableField } from '../../../definitions/sources/table-field.ts';
import { arrowFields } from '../arrow/arrow-fields.ts';
import { type ArrowFile, openArrow } from '../arrow/arrow-file.ts';
import { presentTimes } from '../encode/accepted-times.ts';
import { cutTimes } from './cut-times.ts';
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
  return await inferOpenArrow(await openArrow(source));
}

/** The same for a file that is open, which is closed. */
export async function inferOpenArrow(arrow: ArrowFile): Promise<InferredSchema> {
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
    if (arrow.hasFinerTimes) notes.push(cutTimes);
    const seen = new Map(root.propose(() => undefined, false).map((field) => [field.name, field]));
    const note = (path: string) =>
      notes.push(`${path}: some values are lists with null; JSON takes all of them`);
    const fields = own.map((field) => withSeen(field, seen.get(field.name), field.name, note));
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

/** With what its values tell: JSON for lists with null, and their range. */
function withSeen(
  field: TableField,
  seen: TableField | undefined,
  path: string,
  note: (path: string) => void,
): TableField {
  if (field.mode === 'REPEATED' && seen?.type === 'JSON') {
    note(path);
    const description = field.description ?? 'Some values are lists with null.';
    return { name: field.name, type: 'JSON', mode: 'NULLABLE', description };
  }
  if (field.fields === undefined) return withRange(field, seen);
  const inner = new Map(seen?.fields?.map((each) => [each.name, each]));
  const fields = field.fields.map((each) =>
    withSeen(each, inner.get(each.name), `${path}.${each.name}`, note),
  );
  return { ...field, fields };
}

/** With the range of its values, if the values seem to be of its type. */
function withRange(field: TableField, seen: TableField | undefined): TableField {
  if (field.description !== undefined || seen?.description === undefined) return field;
  // The texts of its times have no offset.
  const [description] = seen.description.split(' Without an offset', 1);
  return field.type === seen.type ? { ...field, ...(description && { description }) } : field;
}
