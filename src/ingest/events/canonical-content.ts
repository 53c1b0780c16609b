import { JsonNumber, mayLoseDigits } from '../../text/json-number.ts';
import { maxLevels } from '../row-encoder.ts';
import { RowValidationError } from '../row-validation-error.ts';

/**
 * A text that is the same for parsed JSON values with the same content, whatever the order of their keys, and different for
 * any others. Two ways to write one number are the same.
 *
 * @throws RowValidationError for values that are nested too deeply
 */
export function canonicalContent(value: unknown, depth = 0): string {
  switch (typeof value) {
    case 'string':
      return `"${value.length}:${value}`;
    case 'number':
      return `#${value}`;
    case 'undefined':
      return 'u';
    case 'boolean':
      return value ? 't' : 'f';
    default:
      return value === null ? 'n' : canonicalObject(Object(value), depth);
  }
}

function canonicalObject(value: Readonly<Record<string, unknown>>, depth: number): string {
  if (value instanceof JsonNumber)
    return `#${mayLoseDigits(value.text) ? value.text : String(Number(value.text))}`;
  if (depth >= maxLevels) throw new RowValidationError('nested too deeply', 'limit');
  let text = '';
  if (Array.isArray(value)) {
    for (const element of value) text += canonicalContent(element, depth + 1);
    return `[${text}]`;
  }
  for (const key of sorted(Object.keys(value)))
    text += `${key.length}:${key}${canonicalContent(value[key], depth + 1)}`;
  return `{${text}}`;
}

/** Few keys are sorted faster so than by the engine. */
const fewKeys = 24;

function sorted(keys: string[]): string[] {
  if (keys.length > fewKeys) return keys.sort();
  for (let end = 1; end < keys.length; end++) {
    const key = keys[end] ?? '';
    let at = end;
    for (let before = keys[at - 1]; before !== undefined && before > key; before = keys[at - 1]) {
      keys[at] = before;
      at -= 1;
    }
    keys[at] = key;
  }
  return keys;
}
