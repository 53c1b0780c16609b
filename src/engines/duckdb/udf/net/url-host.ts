import { JsFunction } from '../js/js-function.ts';
import { text } from '../js/js-type.ts';
import { trimSpace } from '../text/trim-space.ts';

/**
 * NET.HOST, which is lenient with invalid URLs. After an optional `scheme://` (`\` counts as `/`) come user information
 * up to the last `@`, the host, and a port. Dots before the host are dropped, and all but one of the dots after it.
 */
export function hostOf(url: string): string | null {
  const [authority = ''] = trimSpace(url)
    .replace(/^(?:[^/\\?#:]*:)?[/\\]{2}/, '')
    .split(/[/\\?#]/, 1);
  const place = authority.slice(authority.lastIndexOf('@') + 1);
  const isBracketed = place.startsWith('[');
  // Any bracket closes an opening one.
  const bracket = isBracketed ? place.slice(1).search(/[[\]]/) + 1 : 0;
  const isUnclosed = isBracketed && bracket === 0;
  const colon = isUnclosed ? -1 : place.indexOf(':', bracket);
  const host = (colon === -1 ? place : place.slice(0, colon)).replace(/^\.+/, '');
  const end = host.length - trailingDots(host);
  return host.slice(0, end + 1) || null;
}

export const urlHost = new JsFunction('url_host', [text], text, hostOf);

function trailingDots(host: string): number {
  let count = 0;
  while (host[host.length - 1 - count] === '.') count++;
  return count;
}
