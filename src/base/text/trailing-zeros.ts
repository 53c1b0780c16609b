/**
 * The text without the zeros at its end, in linear time. The pattern `/0+$/` takes time in the square of a long run of zeros that
 * isn't at the end.
 */
export function withoutTrailingZeros(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x30) end -= 1;
  return text.slice(0, end);
}
