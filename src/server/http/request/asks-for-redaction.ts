/**
 * Whether a caller requests redaction in addition to the endpoint's. It can't be turned off. The first of several
 * headers counts, even if a proxy or Node has joined them with commas.
 */
export function asksForRedaction(header: string | string[] | undefined): boolean {
  const first = typeof header === 'string' ? header : header?.[0];
  return first?.split(',', 1)[0]?.trim().toLowerCase() === 'true';
}
