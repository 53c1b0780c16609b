/** The key in the fragment of an address, as `demo` and `dev` print it: `#key=<key>`. */
export function addressKey(fragment: string): string | undefined {
  const [, text] = /^#key=(.+)$/.exec(fragment) ?? [];
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
