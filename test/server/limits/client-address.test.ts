import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { clientAddress } from '../../../src/server/limits/client-address.ts';

function from(remoteAddress: string, ...forwarded: string[]): IncomingMessage {
  const headersDistinct = forwarded.length === 0 ? {} : { 'x-forwarded-for': forwarded };
  return { socket: { remoteAddress }, headersDistinct } as unknown as IncomingMessage;
}

describe('whom a request comes from', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0000::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5::192.0.2.33', '1:2:3:4::/64'],
  ])('is, of the connection %s, %s', (address, counted) => {
    expect(clientAddress(from(address), 0)).toBe(counted);
  });

  test('is that of the connection if no proxy is trusted', () => {
    expect(clientAddress(from('192.0.2.1', '198.51.100.7'), 0)).toBe('192.0.2.1');
  });

  test.each([
    [1, ['198.51.100.7'], '198.51.100.7'],
    [1, ['6.6.6.6, 198.51.100.7'], '198.51.100.7'],
    [2, ['6.6.6.6, 198.51.100.7, 10.0.0.1'], '198.51.100.7'],
    [2, ['6.6.6.6', '198.51.100.7, 10.0.0.1'], '198.51.100.7'],
    [3, ['198.51.100.7'], '198.51.100.7'],
    [1, ['6.6.6.6, 198.51.100.7:4711'], '198.51.100.7'],
    [1, ['[2001:db8::7]:4711'], '2001:db8:0:0::/64'],
    [1, ['6.6.6.6, unknown'], '192.0.2.1'],
    [2, ['6.6.6.6, nonsense, 10.0.0.1'], '10.0.0.1'],
    [3, ['6.6.6.6, nonsense, 10.0.0.1'], '10.0.0.1'],
    [1, [''], '192.0.2.1'],
    [1, [], '192.0.2.1'],
  ])('is what %i trusted proxies say: %j is %s', (proxies, forwarded, counted) => {
    expect(clientAddress(from('192.0.2.1', ...forwarded), proxies)).toBe(counted);
  });
});
