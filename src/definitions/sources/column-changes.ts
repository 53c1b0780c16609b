import { elementType, formatType } from '../../sql/values/type.ts';
import type { SourceColumn } from './source.ts';

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
