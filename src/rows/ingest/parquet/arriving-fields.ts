import { DuckDBTypeId } from '@duckdb/node-api';
import { otherNames } from '../../../definitions/sources/sent-name.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import { TimeField } from '../encode/time-field.ts';
import type { FileField } from './file-field.ts';

/**
 * The columns of a file with the names that rows get by `RowPreparation`: renamed, and the time and the message in their columns.
 * Undefined if that can't be told by the columns alone, so that each row must be prepared by itself.
 */
export function arrivingFields(fields: readonly FileField[], source: Source): FileField[] | undefined {
  return messageNamed(timeNamed(sentNamed(renamed(fields, source), source), source), source);
}

type Fields = FileField[] | undefined;

function named(fields: readonly { readonly name: string }[], name: string): number {
  return fields.findIndex((field) => field.name.toLowerCase() === name.toLowerCase());
}

/** Whether a field may contain the value at a path through records. */
function mayContain(fields: readonly FileField[], path: string): boolean {
  const [first = '', ...rest] = path.split('.');
  return rest.length > 0 && named(fields, first) !== -1;
}

function renamed(fields: readonly FileField[], { rename }: Source): Fields {
  const all = [...fields];
  for (const { from, to } of rename) {
    if (mayContain(all, from)) return undefined;
    const index = named(all, from);
    const field = all[index];
    if (field === undefined) continue;
    if (to.includes('.') || named(all, to) !== -1) return undefined;
    all[index] = { ...field, name: to };
  }
  return all;
}

function sentNamed(fields: Fields, { columns }: Source): Fields {
  return fields?.map((field) => {
    const column = columns.find((each) => otherNames(each).includes(field.name));
    return column === undefined || named(fields, column.name) !== -1
      ? field
      : { ...field, name: column.name };
  });
}

function timeNamed(fields: Fields, source: Source): Fields {
  const { column, paths } = new TimeField(source);
  if (fields === undefined || column === undefined) return fields;
  if (paths.some((path) => mayContain(fields, path))) return undefined;
  const present = paths.filter((path) => named(fields, path) !== -1);
  const [path, ...others] = present;
  if (path === undefined || path.toLowerCase() === column.toLowerCase()) return fields;
  // The first value of each row counts.
  return others.length > 0 ? undefined : moved(fields, path, column, source);
}

function messageNamed(fields: Fields, source: Source): Fields {
  const { columns } = source;
  const target = columns[named(columns, 'event_message')];
  if (fields === undefined || target?.type.kind !== 'STRING') return fields;
  const [message, ...others] = ['message', 'msg'].filter((name) => named(fields, name) !== -1);
  if (message === undefined) return fields;
  const isText = fields[named(fields, message)]?.type.typeId === DuckDBTypeId.VARCHAR;
  if (others.length > 0 || named(fields, target.name) !== -1 || !isText) return undefined;
  return moved(fields, message, target.name, source);
}

/** A field that is a column stays one. */
function moved(fields: readonly FileField[], from: string, to: string, { columns }: Source): FileField[] {
  const index = named(fields, from);
  const field = fields[index];
  if (field === undefined) return [...fields];
  const target = { ...field, name: to };
  return named(columns, field.name) === -1 ? fields.with(index, target) : [...fields, target];
}
