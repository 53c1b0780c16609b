/** A caller can ask for redaction where the endpoint has it not, never the other way round. */
export function asksForRedaction(header: string | string[] | undefined): boolean {
  const first = typeof header === 'string' ? header : header?.[0];
  return first?.toLowerCase() === 'true';
}

/** Whether the header may have come several times, joined with commas. */
export function isRepeated(header: string | string[] | undefined): boolean {
  return header?.includes(',') === true;
}
