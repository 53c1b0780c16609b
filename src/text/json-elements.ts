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

const special = /["[\]{},]/g;
const endOfString = /["\\]/g;

function* split(content: string): Generator<string> {
  if (content.trim() === '') return;
  let start = 0;
  let depth = 0;
  let at = 0;
  for (;;) {
    special.lastIndex = at;
    const found = special.exec(content);
    if (found === null) break;
    at = found.index + 1;
    switch (found[0]) {
      case '"':
        at = afterString(content, at);
        break;
      case '[':
      case '{':
        depth++;
        break;
      case ']':
      case '}':
        depth--;
        break;
      default:
        if (depth !== 0) break;
        yield content.slice(start, at - 1).trim();
        start = at;
    }
  }
  yield content.slice(start).trim();
}

/** The position after the quote that ends a string. */
function afterString(content: string, from: number): number {
  let at = from;
  for (;;) {
    endOfString.lastIndex = at;
    const found = endOfString.exec(content);
    if (found === null) return content.length;
    if (found[0] === '"') return found.index + 1;
    at = found.index + 2;
  }
}
