const plainPath = /^[\x21-\x7e]{0,1000}$/;
const shownLength = 1000;
/**
 * Matches a key or part of one in a path, for example if a client encodes the `?` before its parameters. Any character
 * may be percent-encoded, even repeatedly. `API_KEY` may have any form and is recognised by the parameter name before
 * it.
 */
const key =
  /(?:e|%(?:25)*[46]5)(?:g|%(?:25)*[46]7)(?:w|%(?:25)*[57]7)(?:_|%(?:25)*5f)[0-9a-z%]+|(api(?:_|%(?:25)*5f)key(?:=|%(?:25)*3d))[^&/]+/gi;

/** Makes a path safe for logs: visible ASCII characters, others percent-encoded, keys masked, length limited. */
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

/** Node decodes paths as latin1. */
function percentEncoded(character: string): string {
  return `%${(character.charCodeAt(0) & 0xff).toString(16).toUpperCase().padStart(2, '0')}`;
}
