const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns a `traceparent` header if it is valid: https://www.w3.org/TR/trace-context/#traceparent-header */
export function traceparentFrom(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && pattern.test(header) ? header : undefined;
}
