/** ASCII's white space. */
function isAsciiSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** A text without certain characters at its ends. A regular expression could take quadratic time for this. */
export function trimSpace(value: string, isSpace: (code: number) => boolean = isAsciiSpace): string {
  let start = 0;
  let end = value.length;
  while (start < end && isSpace(value.charCodeAt(start))) start++;
  while (end > start && isSpace(value.charCodeAt(end - 1))) end--;
  return value.slice(start, end);
}
