/** What can be hidden in rows: addresses of the internet, e-mail addresses, bearer tokens and JWTs, card numbers. */
export const piiClasses = ['ip', 'email', 'token', 'card'] as const;

export type PiiClass = (typeof piiClasses)[number];

/** What an endpoint's owner has hidden from everybody. */
interface OwnersRedaction {
  /** IP addresses. */
  readonly redactPii: boolean;
  readonly redact?: readonly PiiClass[];
}

const bitOf = (name: PiiClass) => 1 << piiClasses.indexOf(name);

/** Each combination is one array, so that what is made for it can be found again by it. */
const combinations: readonly (readonly PiiClass[])[] = Array.from(
  { length: 2 ** piiClasses.length },
  (_, bits) => piiClasses.filter((name) => (bits & bitOf(name)) !== 0),
);

/**
 * What is hidden in the answers of an endpoint.
 *
 * @param isAsked whether the caller asks for redaction, or the key demands it: that adds to what the owner has hidden,
 *   and nothing takes from it
 */
export function hiddenClasses(
  { redactPii, redact = [] }: OwnersRedaction,
  isAsked: boolean,
): readonly PiiClass[] {
  let bits = redactPii || isAsked ? bitOf('ip') : 0;
  for (const name of redact) bits |= bitOf(name);
  return combinations[bits] ?? piiClasses;
}
