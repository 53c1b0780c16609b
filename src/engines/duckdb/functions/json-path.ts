import { unsupported } from '../../../sql/resolved/unsupported.ts';

/** How a path writes names with other characters: `$."a b"`, or `$['a b']` in the older functions. */
export type JsonPathStyle = 'quoted' | 'bracketed';

/** One step of a path: `.name`, a name with other characters, or `[0]`. */
const steps: Readonly<Record<JsonPathStyle, RegExp>> = {
  quoted: /^(?:\.([A-Za-z_$][\w$-]*)|\."([^"\\*]*)"|\[(\d+)\])/,
  bracketed: /^(?:\.([A-Za-z_$][\w$-]*)|\['([^'"\\*]*)'\]|\[(\d+)\])/,
};

/**
 * A JSONPath of GoogleSQL in DuckDB's form, every name in quotation marks. Paths with anything else than
 * names and indexes are refused.
 */
export function jsonPath(path: string, style: JsonPathStyle): string {
  let rest = path.startsWith('$') ? path.slice(1) : 'no root';
  let out = '$';
  while (rest !== '') {
    const match = steps[style].exec(rest);
    if (match === null) throw unsupported(`the JSONPath ${path}`);
    const [whole, name, quoted, index] = match;
    out += index === undefined ? `."${name ?? quoted}"` : `[${index}]`;
    rest = rest.slice(whole.length);
  }
  return out;
}

/** The path of one member of an object. */
export function jsonMember(name: string): string {
  if (/["\\*]/.test(name)) throw unsupported(`the JSON member ${name}`);
  return `$."${name}"`;
}
