import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';

const mappedV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** An entry with a port, as some proxies write it: `192.0.2.1:443`, `[2001:db8::1]:443`, `[2001:db8::1]`. */
const withPort = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

/**
 * The client of a request, for limits: an IPv4 address, or the first 64 bits of an IPv6 address, because one customer
 * usually has all the rest.
 *
 * @param trustedProxies how many proxies are in front; each has added an entry to `X-Forwarded-For`, and only those
 *   entries are believed. 0 believes the connection alone
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const own = counted(request.socket.remoteAddress ?? '') ?? '';
  if (trustedProxies === 0) return own;
  const forwarded = request.headersDistinct['x-forwarded-for']?.join(',').split(',') ?? [];
  let address = own;
  // From the nearest proxy outwards. An invalid entry and all before it were not written by a trusted proxy.
  for (const entry of forwarded.slice(-trustedProxies).toReversed()) {
    const next = counted(entry.trim());
    if (next === undefined) break;
    address = next;
  }
  return address;
}

function counted(text: string): string | undefined {
  const [, v6InBrackets, v4] = withPort.exec(text) ?? [];
  const plain = (v6InBrackets ?? v4 ?? text).replace(mappedV4, '$1');
  if (isIPv4(plain)) return plain;
  return isIP(plain) === 6 ? `${networkOf(plain)}::/64` : undefined;
}

/** The first four groups of an IPv6 address, without leading zeros. */
function networkOf(address: string): string {
  const [plain = ''] = address.toLowerCase().split('%');
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  // An IPv4 address at the end is two groups.
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - after.length - (plain.includes('.') ? 1 : 0);
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...after];
  return all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
