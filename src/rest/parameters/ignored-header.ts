/** Names in the header: enough for typos. */
const maxNames = 10;
const maxLength = 60;

/** The value of `X-Ignored-Parameters`: names, percent-encoded, separated by commas. Undefined if there are none. */
export function ignoredHeader(ignored: ReadonlySet<string>): string | undefined {
  if (ignored.size === 0) return undefined;
  return [...ignored]
    .slice(0, maxNames)
    .map((name) => encodeURIComponent(name.toWellFormed().slice(0, maxLength).toWellFormed()))
    .join(', ');
}
