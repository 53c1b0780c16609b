import { fieldAt, valueKind, writtenField } from '../../../sql/editing/field.ts';
import type { EndpointColumn } from '../../api/endpoints.ts';
import type { Json, ValuePath } from '../../api/json.ts';

const comparable: ReadonlySet<string> = new Set([
  ...['STRING', 'BOOL', 'INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC', 'DATE', 'DATETIME', 'TIME', 'TIMESTAMP'],
]);
/** Clauses of LQL begin with these, so columns of the same name can't be filtered. */
const clauses: ReadonlySet<string> = new Set(['t', 'timestamp', 'f', 'from', 'c', 'chart', 's', 'select']);
/** Longer filters can't be read. */
const maxValueLength = 200;

/** The filter of LQL for rows that have a value, if LQL can express it. */
export function lqlTerm(
  path: ValuePath,
  value: Json,
  columns: readonly EndpointColumn[],
): string | undefined {
  const names = path.filter((step) => typeof step === 'string');
  const [first, ...inside] = names;
  const column = columns.find(({ name }) => name === first);
  if (first === undefined || column === undefined || (typeof value === 'object' && value !== null))
    return undefined;
  if (!names.every((name) => /^[A-Za-z0-9_]+$/.test(name))) return undefined;
  if (inside.length === 0 ? clauses.has(first) : first === 'm') return undefined;
  const kind = valueKind(fieldAt([writtenField(column)], names));
  if (kind === undefined || !comparable.has(kind)) return undefined;
  const text = valueText(value);
  if (text === undefined) return undefined;
  const field = [first === 'metadata' && inside.length > 0 ? 'm' : first, ...inside].join('.');
  // The element of a list.
  if (typeof path.at(-1) === 'number') return value === null ? undefined : `${field}:@>${text}`;
  return `${field}:${text}`;
}

/** The filter for rows that have a value in a field, as LQL writes its path. */
export function termAt(path: string, value: Json, columns: readonly EndpointColumn[]): string | undefined {
  return lqlTerm(path.replace(/^m\./, 'metadata.').split('.'), value, columns);
}

function valueText(value: Exclude<Json, object> | null): string | undefined {
  if (value === null) return 'NULL';
  const text = String(value);
  // A field takes one line, and shows what it takes.
  if (text.length > maxValueLength || /[\p{Cc}\p{Cf}\p{Surrogate}]/u.test(text)) return undefined;
  if (text !== 'NULL' && /^(\d+(\.\d+)?|\w+)$/.test(text)) return text;
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

/** A filter with one more term. */
export function withTerm(filter: string, term: string): string {
  const before = filter.trim();
  if (before === '') return term;
  return before.split(/\s+/).includes(term) ? before : `${before} ${term}`;
}
