/**
 * Where a string of a JSON text ends: the place after its closing quote, or the end of the text when it has none.
 *
 * @param start the place of its opening quote
 */
export function endOfString(json: string, start: number): number {
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
