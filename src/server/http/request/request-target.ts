const absoluteForm = /^https?:\/\/[^/?]*/i;

/**
 * Splits a request target into path and query string, both still percent-encoded. Supports the absolute form that
 * proxies send.
 */
export function splitRequestTarget(target: string): { path: string; query: string } {
  const local = target.startsWith('/') ? target : target.replace(absoluteForm, '');
  const mark = local.indexOf('?');
  if (mark === -1) return { path: local || '/', query: '' };
  return { path: local.slice(0, mark) || '/', query: local.slice(mark + 1) };
}

/**
 * Decodes percent-encoded UTF-8. Returns undefined for a broken escape or invalid UTF-8. The text has one byte per
 * character, as Node's request targets, so that raw UTF-8 is supported as well.
 */
export function percentDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replace(/[\x80-\xff]/g, encodeByte));
  } catch {
    return undefined;
  }
}

function encodeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}

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
