/** A place in YAML where a key or a value is being written. */
export interface SettingsPlace {
  readonly what: 'key' | 'value';
  /** The keys that lead to the mapping of the key, or to the value. */
  readonly path: readonly string[];
  /** Where the written part begins: UTF-16 units from the start of the file. */
  readonly from: number;
}

/** A key at the start of a line, with or without quotes, up to its colon. */
const key = /^(\s*)(?:- +)?("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[\w$.]+)\s*:(?=\s|$)/;

/** A whole text in quotes. */
const quoted = /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/y;

/** Finds out by indentation and braces what is being written at an offset. YAML that is being written can't be parsed. */
export function settingsPlace(text: string, commentStart: number, offset: number): SettingsPlace | undefined {
  const lines = text.slice(commentStart, offset).split(/\r?\n/);
  const line = lines.pop() ?? '';
  const indent = /^\s*/.exec(line)?.[0].length ?? 0;
  const [upToColon = '', , ownKey] = key.exec(line) ?? [];
  const parents = parentsOf(lines, indent);
  if (ownKey === undefined) {
    const match = /^\s*(- +)?([\w$]*)$/.exec(line);
    if (match === null) return undefined;
    const [, dash, word = ''] = match;
    // An element of a list is a value.
    return { what: dash === undefined ? 'key' : 'value', path: parents, from: offset - word.length };
  }
  return placeInLine(line.slice(upToColon.length), [...parents, unquoted(ownKey)], offset);
}

/**
 * The place in what follows a key on its line: a scalar, or a mapping or list in braces.
 *
 * @param offset where the line ends: UTF-16 units from the start of the file
 */
function placeInLine(line: string, path: readonly string[], offset: number): SettingsPlace | undefined {
  const open: { readonly brace: '{' | '['; key?: string }[] = [];
  let word = '';
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    const inner = open.at(-1);
    if (/["']/.test(character) && word.trim() === '') {
      quoted.lastIndex = index;
      const [whole] = quoted.exec(line) ?? [];
      // Nothing is offered within a text.
      if (whole === undefined) return undefined;
      word += whole;
      index += whole.length - 1;
      continue;
    }
    if (character === '#' && /^\s?$/.test(line.charAt(index - 1))) return undefined;
    if (character === '{' || character === '[') open.push({ brace: character });
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',') {
      if (inner !== undefined) delete inner.key;
    } else if (character === ':' && inner?.brace === '{' && /^\s?$/.test(line.charAt(index + 1))) {
      inner.key = unquoted(word.trim());
    } else {
      word += character;
      continue;
    }
    word = '';
  }
  const written = word.trimStart();
  if (/["']/.test(written)) return undefined;
  const keys = open.flatMap((each) => (each.key === undefined ? [] : [each.key]));
  const inner = open.at(-1);
  const what = inner?.brace === '{' && inner.key === undefined ? 'key' : 'value';
  return { what, path: [...path, ...keys], from: offset - written.length };
}

/** A key without its quotes. Those of settings have no escapes. */
function unquoted(name: string): string {
  return /^["']/.test(name) ? name.slice(1, -1) : name;
}

/** The keys above a line that it belongs to, by their indentation. */
function parentsOf(lines: readonly string[], indent: number): readonly string[] {
  const parents: string[] = [];
  let limit = indent;
  for (const line of lines.toReversed()) {
    const [, space = '', name] = key.exec(line) ?? [];
    if (name === undefined || space.length >= limit) continue;
    parents.unshift(unquoted(name));
    limit = space.length;
    if (limit === 0) break;
  }
  return parents;
}
