/** A text as a literal of GoogleSQL. */
export function sqlString(text: string): string {
  const escaped = text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `'${escaped}'`;
}
