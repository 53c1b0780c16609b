import { domainToASCII } from 'node:url';
import { parse } from 'tldts';
import { JsFunction } from '../js/js-function.ts';
import { text } from '../js/js-type.ts';
import { hostOf } from './url-host.ts';

/** The list's own section of private domains doesn't count, and names outside the list have no suffix. */
const options = {
  allowPrivateDomains: false,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
} as const;

/** The longest label that Punycode may give. */
const longestLabel = 63;

/** A label in lower case or, if it has other characters than ASCII, in Punycode. Undefined if that can't be done. */
function normalized(label: string): string | undefined {
  if (!/[^\0-\x7f]/.test(label)) return label.toLowerCase();
  const ascii = domainToASCII(label);
  return ascii === '' || ascii.split('.').some((part) => part.length > longestLabel) ? undefined : ascii;
}

/** The end of a URL's host that has `more` labels than its public suffix. */
function suffixOf(url: string, more: number): string | null {
  const host = hostOf(url);
  if (host === null) return null;
  const end = host.endsWith('.') ? '.' : '';
  const labels = host.slice(0, host.length - end.length).split('.');
  const known = labels.map(normalized);
  if (known.includes(undefined)) return null;
  const name = known.join('.');
  if (name.includes('..')) return null;
  const { publicSuffix, isIcann } = parse(name, options);
  if (publicSuffix === null || isIcann !== true) return null;
  const count = publicSuffix.split('.').length + more;
  return count > name.split('.').length ? null : labels.slice(-count).join('.') + end;
}

/** NET.PUBLIC_SUFFIX, by the list in the package tldts. */
export const publicSuffix = new JsFunction('public_suffix', [text], text, (url) => suffixOf(url, 0));

/** NET.REG_DOMAIN. */
export const registeredDomain = new JsFunction('reg_domain', [text], text, (url) => suffixOf(url, 1));
