/** What a JSON text comes to, as far as its brackets and commas tell, whether it is JSON or not. */
interface JsonShape {
  /** How many arrays and objects are inside each other at most. */
  readonly depth: number;
  /** About how many values there are, members of objects and elements of arrays. */
  readonly values: number;
}

const [quote, comma, openArray, openObject, closeArray, closeObject] = [0x22, 0x2c, 0x5b, 0x7b, 0x5d, 0x7d];

/** Looked at before a text is parsed: millions of levels, or of values, take seconds, and a hundred times their memory. */
export function shapeOfJson(json: string): JsonShape {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  for (let place = 0; place < json.length; place++) {
    const code = json.charCodeAt(place);
    if (code === quote) place = endOfString(json, place) - 1;
    else if (code === comma) values++;
    else if (code === openArray || code === openObject) {
      values++;
      if (++depth > deepest) deepest = depth;
    } else if (code === closeArray || code === closeObject) depth--;
  }
  return { depth: deepest, values };
}

/**
 * Where a string of a JSON text ends: the place after its closing quote, or the end of the text when it has none.
 *
 * @param start the place of its opening quote
 */
function endOfString(json: string, start: number): number {
  let end = start;
  do end = json.indexOf('"', end + 1);
  while (end !== -1 && isEscaped(json, end));
  return end === -1 ? json.length : end + 1;
}

function isEscaped(json: string, place: number): boolean {
  let backslashes = 0;
  while (json[place - backslashes - 1] === '\\') backslashes++;
  return backslashes % 2 === 1;
}
