/** Strings and structural characters. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/gs;

/** JSON text on several lines, indented by two spaces per level. Its scalars are unchanged. */
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

/** JSON text without white space around its structural characters. */
export function compactJson(json: string): string {
  return (json.match(token) ?? []).join('');
}
