import { unsupported } from '../../../sql/resolved/unsupported.ts';

/** One step of a JSONPath: `.name`, `."name"`, `['name']` or `[0]`. */
const step = /^(?:\.([A-Za-z_$][\w$-]*)|\."([^"\\*]*)"|\['([^'"\\*]*)'\]|\[(\d+)\])/;

/**
 * A JSONPath of GoogleSQL in DuckDB's form, every name in quotation marks. Paths with anything else than
 * names and indexes are refused.
 */
export function jsonPath(path: string): string {
  let rest = path.startsWith('$') ? path.slice(1) : 'no root';
  let out = '$';
  while (rest !== '') {
    const match = step.exec(rest);
    if (match === null) throw unsupported(`the JSONPath ${path}`);
    const [whole, name, quoted, bracketed, index] = match;
    out += index === undefined ? `."${name ?? quoted ?? bracketed}"` : `[${index}]`;
    rest = rest.slice(whole.length);
  }
  return out;
}

/** The path of one member of an object. */
export function jsonMember(name: string): string {
  if (/["\\*]/.test(name)) throw unsupported(`the JSON member ${name}`);
  return `$."${name}"`;
}
