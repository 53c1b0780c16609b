import { isDeepStrictEqual } from 'node:util';
import { elementType, formatType } from '../../sql/values/type.ts';
import type { Source, SourceColumn } from './source.ts';

/** The differences between two sets of sources, a text each: `added a`, `changed b (added metadata.region STRING)`. */
export function sourceChanges(before: readonly Source[], after: readonly Source[]): string[] {
  const old = new Map(before.map((source) => [source.name, source]));
  const names = new Set(after.map(({ name }) => name));
  const removed = before.filter(({ name }) => !names.has(name)).map(({ name }) => `removed ${name}`);
  const others = after.flatMap((source) => {
    const earlier = old.get(source.name);
    if (earlier === undefined) return [`added ${source.name}`];
    if (isDeepStrictEqual(earlier, source)) return [];
    const columns = columnChanges(earlier.columns, source.columns);
    return [`changed ${source.name}${columns.length === 0 ? '' : ` (${columns.join(', ')})`}`];
  });
  return [...others, ...removed];
}

/** The changes of columns, a sentence each: `added metadata.region STRING`. */
export function columnChanges(before: readonly SourceColumn[], after: readonly SourceColumn[]): string[] {
  const [old, now] = [described(before), described(after)];
  const removed = [...old]
    .filter(([path]) => !now.has(path))
    .map(([path, text]) => `removed ${path} ${text}`);
  const others = [...now].flatMap(([path, text]) => {
    const earlier = old.get(path);
    if (earlier === undefined) return [`added ${path} ${text}`];
    return earlier === text ? [] : [`changed ${path} from ${earlier} to ${text}`];
  });
  return [...others, ...removed];
}

/** Every column and field by path, with its type and mode. */
function described(columns: readonly SourceColumn[], within = ''): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { name, type, mode, fields } of columns) {
    const path = `${within}${name}`;
    texts.set(path, [typeText(type, fields), ...(mode === 'NULLABLE' ? [] : [mode])].join(' '));
    for (const [inner, text] of described(fields, `${path}.`)) texts.set(inner, text);
  }
  return texts;
}

/** The fields of a record are listed separately. */
function typeText(type: SourceColumn['type'], fields: SourceColumn['fields']): string {
  if (fields.length > 0) return 'RECORD';
  return formatType(elementType(type));
}
