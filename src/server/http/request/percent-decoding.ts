/**
 * Decodes percent-encoded UTF-8. Returns undefined for a broken escape or invalid UTF-8. The text has one byte per
 * character, as Node's request targets, so that raw UTF-8 is supported as well.
 */
export function percentDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replace(/[\x80-\xff]/g, encodeByte));
  } catch {
    return undefined;
  }
}

function encodeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}
