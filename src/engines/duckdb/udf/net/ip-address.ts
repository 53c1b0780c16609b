import { isIP } from 'node:net';
import { Failure } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { bytes, int64, text } from '../js/js-type.ts';

const maxLength = '0000:0000:0000:0000:0000:ffff:255.255.255.255'.length;

/** The 4 or 16 bytes of an address, most significant first. Null if the text is not one. */
function parse(address: string): Uint8Array | null {
  switch (address.length > maxLength ? 0 : isIP(address)) {
    case 4:
      return Uint8Array.from(address.split('.'), Number);
    case 6:
      return address.includes('%') ? null : parseV6(address);
    default:
      return null;
  }
}

function parseV6(address: string): Uint8Array {
  // The last four bytes may have the form of an IPv4 address.
  const uniform = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = '', tail] = uniform.split('::');
  const groups = (part: string | undefined) => (part ? part.split(':') : []);
  const [before, after] = [groups(head), groups(tail)];
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  const all = [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

function write(address: Uint8Array): string {
  if (address.length === 4) return address.join('.');
  const groups = Array.from(
    { length: 8 },
    (_, i) => ((address[2 * i] ?? 0) << 8) | (address[2 * i + 1] ?? 0),
  );
  const isEmbedded = groups.slice(0, 5).every((group) => group === 0);
  if (isEmbedded && groups[5] === 0xffff) return `::ffff:${address.subarray(12).join('.')}`;
  if (isEmbedded && groups[5] === 0 && groups[6] !== 0) return `::${address.subarray(12).join('.')}`;
  const texts = groups.map((group) => group.toString(16));
  const { start, length } = longestZeros(groups);
  if (length < 2) return texts.join(':');
  return `${texts.slice(0, start).join(':')}::${texts.slice(start + length).join(':')}`;
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}

function masked(size: number, prefix: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => {
    const bits = Math.min(Math.max(prefix - 8 * i, 0), 8);
    return (0xff << (8 - bits)) & 0xff;
  });
}

export const ipFromString = new JsFunction('ip_from_string', [text], bytes, (address) => {
  const result = parse(address);
  if (result === null)
    throw new Failure(`NET.IP_FROM_STRING() encountered an unparseable IP-address: ${address}`);
  return result;
});

export const ipToString = new JsFunction('ip_to_string', [bytes], text, (address) => {
  if (address.length !== 4 && address.length !== 16) {
    throw new Failure(
      `NET.IP_TO_STRING() encountered an invalid IP address. Expected 4 (for IPv4) or 16 (for IPv6) bytes but got ${address.length}`,
    );
  }
  return write(address);
});

export const ipNetMask = new JsFunction('ip_net_mask', [int64, int64], bytes, (size, prefix) => {
  if (size !== 4n && size !== 16n) {
    throw new Failure(
      `The first argument of NET.IP_NET_MASK() must be either 4 (for IPv4) or 16 (for IPv6); got ${size}`,
    );
  }
  if (prefix < 0n || prefix > size * 8n) {
    throw new Failure(
      `The second argument of NET.IP_NET_MASK() must be between 0 and the first argument * 8; got ${prefix}`,
    );
  }
  return masked(Number(size), Number(prefix));
});

export const ipTruncate = new JsFunction('ip_trunc', [bytes, int64], bytes, (address, prefix) => {
  if (address.length !== 4 && address.length !== 16) {
    throw new Failure(
      `The first argument of NET.IP_TRUNC() must have length 4 (for IPv4) or 16 (for IPv6); got ${address.length}`,
    );
  }
  if (prefix < 0n || prefix > address.length * 8) {
    throw new Failure(
      `The second argument of NET.IP_TRUNC() must be between 0 and 8 * LENGTH(first argument); got ${prefix}`,
    );
  }
  const mask = masked(address.length, Number(prefix));
  return address.map((byte, i) => byte & (mask[i] ?? 0));
});

/** Negative numbers are taken as signed 32-bit words. */
export const ipv4FromInt64 = new JsFunction('ipv4_from_int64', [int64], bytes, (value) => {
  if (value < -0x80000000n || value > 0xffffffffn) {
    throw new Failure(
      `NET.IPV4_FROM_INT64() encountered an invalid integer IP. Expected range: [-0x80000000, 0xFFFFFFFF]; got ${value}`,
    );
  }
  const address = Buffer.alloc(4);
  address.writeUInt32BE(Number(BigInt.asUintN(32, value)));
  return address;
});

export const ipv4ToInt64 = new JsFunction('ipv4_to_int64', [bytes], int64, (address) => {
  if (address.length !== 4) {
    throw new Failure(
      `NET.IPV4_TO_INT64() encountered a non-IPv4 address. Expected 4 bytes but got ${address.length}`,
    );
  }
  return address.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
});
