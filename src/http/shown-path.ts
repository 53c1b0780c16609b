const plainPath = /^[\x21-\x7e]{0,1000}$/;
const shownLength = 1000;
/**
 * A key, whole or cut, that a client has put into the path, as where it encodes the `?` before its parameters, with any of its
 * characters percent-encoded, once or again and again. `API_KEY` may have any form: it is known by what stands before it.
 */
const key =
  /(?:e|%(?:25)*[46]5)(?:g|%(?:25)*[46]7)(?:w|%(?:25)*[57]7)(?:_|%(?:25)*5f)[0-9a-z%]+|(api(?:_|%(?:25)*5f)key(?:=|%(?:25)*3d))[^&/]+/gi;

/** A path as it can stand in a log: visible ASCII characters, the rest percent-encoded, without keys, and not endless. */
export function shownPath(path: string): string {
  if (plainPath.test(path)) return path.replace(key, masked);
  const visible = path
    .slice(0, shownLength)
    .replace(/[^\x21-\x7e]/g, percentEncoded)
    .replace(key, masked);
  return path.length > shownLength || visible.length > shownLength
    ? `${visible.slice(0, shownLength)}…`
    : visible;
}

function masked(_key: string, name?: string): string {
  return `${name ?? ''}egw_`;
}

/** Node reads each byte of a path as one character. */
function percentEncoded(character: string): string {
  return `%${(character.charCodeAt(0) & 0xff).toString(16).toUpperCase().padStart(2, '0')}`;
}
