/** Strings, and the marks of structure. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/gs;

/** A JSON text over several lines, two spaces a level; its scalars stay as they are written. */
export function prettyJson(json: string): string {
  let result = '';
  let depth = 0;
  let last = '';
  const newLine = () => `\n${'  '.repeat(depth)}`;
  for (const [part] of json.matchAll(token)) {
    if (part === '}' || part === ']') {
      depth--;
      if (last !== '{' && last !== '[') result += newLine();
    } else if (last === '{' || last === '[' || last === ',') {
      result += newLine();
    }
    result += part === ':' ? ': ' : part;
    if (part === '{' || part === '[') depth++;
    last = part;
  }
  return result;
}

/** A JSON text without white space around its marks. */
export function compactJson(json: string): string {
  return (json.match(token) ?? []).join('');
}
