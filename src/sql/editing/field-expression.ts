import type { Field } from './field.ts';
import { writtenName } from './written-name.ts';

/**
 * A field within the records of a column, as a query writes it, without a join: in SQL, of arrays the first element, as log sources have
 * one record in each.
 *
 * @param path the column, and the fields that lead to it
 */
export function fieldExpression(path: readonly Field[], language: 'sql' | 'lql'): string {
  if (language === 'lql') {
    const [column = '', ...inside] = path.map(({ name }) => name);
    return [column === 'metadata' && inside.length > 0 ? 'm' : column, ...inside].join('.');
  }
  return path
    .map(({ name, type }, at) => {
      const isWithin = at < path.length - 1;
      return `${writtenName(name)}${isWithin && type?.kind === 'ARRAY' ? '[SAFE_OFFSET(0)]' : ''}`;
    })
    .join('.');
}
