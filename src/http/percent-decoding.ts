/**
 * Decodes percent-encoded UTF-8, strictly: undefined when an escape is broken or the bytes are no UTF-8.
 * The text holds one byte a character, as Node gives request targets, so raw UTF-8 bytes are understood too.
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
