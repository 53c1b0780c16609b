/**
 * A caller can ask for redaction where the endpoint has it not, never the other way round. Of several headers the first counts
 * (contract, section g), also where a proxy, or Node, has joined them with commas.
 */
export function asksForRedaction(header: string | string[] | undefined): boolean {
  const first = typeof header === 'string' ? header : header?.[0];
  return first?.split(',', 1)[0]?.trim().toLowerCase() === 'true';
}
