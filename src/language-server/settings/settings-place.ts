/** A place in YAML where a key or a value is being written. */
export interface SettingsPlace {
  readonly what: 'key' | 'value';
  /** The keys that lead to the mapping of the key, or to the value. */
  readonly path: readonly string[];
  /** Where the written part begins: UTF-16 units from the start of the file. */
  readonly from: number;
}

const key = /^(\s*)(?:- +)?([\w$.]+)\s*:(?:\s|$)/;

/** Finds out by indentation and braces what is being written at an offset. YAML that is being written can't be parsed. */
export function settingsPlace(text: string, commentStart: number, offset: number): SettingsPlace | undefined {
  const lines = text.slice(commentStart, offset).split(/\r?\n/);
  const line = lines.pop() ?? '';
  const lineStart = offset - line.length;
  if (/(?:^|\s)#/.test(line)) return undefined;
  const indent = /^\s*/.exec(line)?.[0].length ?? 0;
  const [, , ownKey] = key.exec(line) ?? [];
  const parents = parentsOf(lines, indent);
  if (ownKey === undefined) {
    const match = /^\s*(- +)?([\w$]*)$/.exec(line);
    if (match === null) return undefined;
    const [, dash, word = ''] = match;
    // An element of a list is a value.
    return { what: dash === undefined ? 'key' : 'value', path: parents, from: offset - word.length };
  }
  return placeInLine(line.slice(line.indexOf(':') + 1), [...parents, ownKey], {
    start: lineStart + line.indexOf(':') + 1,
    offset,
  });
}

/** The place in what follows a key on its line: a scalar, or a mapping or list in braces. */
function placeInLine(
  rest: string,
  path: readonly string[],
  { start, offset }: { readonly start: number; readonly offset: number },
): SettingsPlace | undefined {
  const open: { readonly brace: '{' | '['; key?: string }[] = [];
  let word = '';
  for (const [index, character] of [...rest].entries()) {
    const inner = open.at(-1);
    if (character === '{' || character === '[') open.push({ brace: character });
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',') {
      if (inner !== undefined) delete inner.key;
    } else if (character === ':' && inner?.brace === '{' && /^(?:\s|$)/.test(rest.slice(index + 1))) {
      inner.key = word.trim();
    } else {
      word += character;
      continue;
    }
    word = '';
  }
  const written = word.trimStart();
  if (/["']/.test(written) || start > offset) return undefined;
  const keys = open.flatMap((each) => (each.key === undefined ? [] : [each.key]));
  const inner = open.at(-1);
  const what = inner?.brace === '{' && inner.key === undefined ? 'key' : 'value';
  return { what, path: [...path, ...keys], from: offset - written.length };
}

/** The keys above a line that it belongs to, by their indentation. */
function parentsOf(lines: readonly string[], indent: number): readonly string[] {
  const parents: string[] = [];
  let limit = indent;
  for (const line of lines.toReversed()) {
    const [, space = '', name] = key.exec(line) ?? [];
    if (name === undefined || space.length >= limit) continue;
    parents.unshift(name);
    limit = space.length;
    if (limit === 0) break;
  }
  return parents;
}
