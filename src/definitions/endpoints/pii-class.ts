/** The classes of personal data that can be redacted: IP addresses, e-mail addresses, bearer tokens and JWTs, card numbers. */
export const piiClasses = ['ip', 'email', 'token', 'card'] as const;

export type PiiClass = (typeof piiClasses)[number];

/** The redaction that an endpoint always requires. */
interface EndpointRedaction {
  /** Whether to redact IP addresses. */
  readonly redactPii: boolean;
  readonly redact?: readonly PiiClass[];
}

const bitOf = (name: PiiClass) => 1 << piiClasses.indexOf(name);

/** One array per combination, so that redactors can be cached by it. */
const combinations: readonly (readonly PiiClass[])[] = Array.from(
  { length: 2 ** piiClasses.length },
  (_, bits) => piiClasses.filter((name) => (bits & bitOf(name)) !== 0),
);

/**
 * The classes that are redacted in the answers of an endpoint.
 *
 * @param isAsked whether the caller requests redaction or the key requires it. This adds to the endpoint's own
 *   redaction, which nothing can reduce.
 */
export function hiddenClasses(
  { redactPii, redact = [] }: EndpointRedaction,
  isAsked: boolean,
): readonly PiiClass[] {
  let bits = redactPii || isAsked ? bitOf('ip') : 0;
  for (const name of redact) bits |= bitOf(name);
  return combinations[bits] ?? piiClasses;
}
