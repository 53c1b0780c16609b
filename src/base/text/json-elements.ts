/**
 * The elements of a JSON array, each as written. They are separated, but not checked: the text is valid JSON if each of
 * them is.
 *
 * @returns undefined if the text is not in brackets, or something follows them
 */
export function jsonElements(text: string): Iterable<string> | undefined {
  const array = text.trim();
  return array.startsWith('[') && array.endsWith(']') ? split(array.slice(1, -1)) : undefined;
}

/** A member of a JSON object, each part as written. */
export interface JsonMember {
  /** With its quotes. */
  readonly key: string;
  readonly value: string;
}

/**
 * The members of a JSON object. They are separated, but not checked.
 *
 * @returns undefined if the text is not in braces, or something follows them, or a member has no key
 */
export function jsonMembers(text: string): readonly JsonMember[] | undefined {
  const object = text.trim();
  if (!object.startsWith('{') || !object.endsWith('}')) return undefined;
  const members: JsonMember[] = [];
  for (const member of split(object.slice(1, -1))) {
    if (!member.startsWith('"')) return undefined;
    const keyEnd = endOfString(member, 1) + 1;
    const rest = member.slice(keyEnd).trimStart();
    if (!rest.startsWith(':')) return undefined;
    members.push({ key: member.slice(0, keyEnd), value: rest.slice(1).trim() });
  }
  return members;
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

function* split(content: string): Generator<string> {
  if (content.trim() === '') return;
  let start = 0;
  let depth = 0;
  for (let at = 0; at < content.length; at++) {
    const code = content.charCodeAt(at);
    if (code === quote) {
      at = endOfString(content, at + 1);
    } else if (code === openArray || code === openObject) {
      depth++;
    } else if (code === closeArray || code === closeObject) {
      depth--;
    } else if (code === comma && depth === 0) {
      yield content.slice(start, at).trim();
      start = at + 1;
    }
  }
  yield content.slice(start).trim();
}

/** The position of the quote that ends a string, or the end of a content without one. */
function endOfString(content: string, from: number): number {
  let at = from;
  for (; at < content.length; at++) {
    const code = content.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at++;
  }
  return content.length;
}
