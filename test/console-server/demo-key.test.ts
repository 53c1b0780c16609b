import { describe, expect, test } from 'vitest';
import { isOwnPage } from '../../src/console-server/demo-key-handler.ts';
import { runGateway, sendRaw } from '../server/running-gateway.ts';

const target = '/console/demo-key';

async function runDemo() {
  const { port } = await runGateway({ console: { files: new Map(), demoKey: 'the key' } });
  return async (headers: readonly string[], method = 'GET') => {
    const head = [`${method} ${target} HTTP/1.1`, ...headers, 'Connection: close'];
    return sendRaw(port, `${head.join('\r\n')}\r\n\r\n`);
  };
}

const own = 'Sec-Fetch-Site: same-origin';

describe("the demo's key", () => {
  test.each(['localhost:4000', 'LOCALHOST', '127.0.0.1:4000', '127.1.2.3', '[::1]:4000'])(
    'is told to the page at %s',
    async (host) => {
      const reply = await (await runDemo())([`Host: ${host}`, own]);
      expect(reply).toMatch(/^HTTP\/1\.1 200 /);
      expect(reply).toContain('Cache-Control: no-store');
      expect(reply).toMatch(/\{"key":"the key"\}$/);
    },
  );

  test.each([
    ['a page of another site', ['Host: localhost', 'Sec-Fetch-Site: cross-site']],
    ['a page of another port', ['Host: localhost', 'Sec-Fetch-Site: same-site']],
    ['a person who opens the address', ['Host: localhost', 'Sec-Fetch-Site: none']],
    ['a program', ['Host: localhost']],
    ['a page whose name leads here', ['Host: evil.example:4000', own]],
    ['a page whose name begins like this machine’s', ['Host: localhost.evil.example', own]],
    ['a page whose name looks like an address', ['Host: 127.0.0.1.evil.example', own]],
    ['another machine’s name', ['Host: 10.0.0.1:4000', own]],
    ['a proxy', ['Host: localhost', own, 'X-Forwarded-For: 203.0.113.9']],
    ['a proxy of the other standard', ['Host: localhost', own, 'Forwarded: for=203.0.113.9']],
    ['a proxy that names its client only', ['Host: localhost', own, 'X-Real-IP: 203.0.113.9']],
    ['a proxy that only names itself', ['Host: localhost', own, 'Via: 1.1 proxy']],
  ])('is not told to %s', async (_who, headers) => {
    const reply = await (await runDemo())(headers);
    expect(reply).toMatch(/^HTTP\/1\.1 404 /);
    expect(reply).not.toContain('the key');
  });

  test.each([
    ['127.0.0.1', true],
    ['127.8.0.1', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['192.168.0.7', false],
    ['::ffff:192.168.0.7', false],
    ['fe80::1', false],
    [undefined, false],
  ])('is told to the address %s: %s', (remoteAddress, expected) => {
    const headers = { host: 'localhost:4000', 'sec-fetch-site': 'same-origin' };
    expect(isOwnPage({ socket: { remoteAddress }, headers })).toBe(expected);
  });

  test('is told to GET only', async () => {
    const ask = await runDemo();
    for (const method of ['POST', 'HEAD', 'DELETE']) {
      const reply = await ask(['Host: localhost', own, 'Content-Length: 0'], method);
      expect(reply).toMatch(/^HTTP\/1\.1 404 /);
    }
  });

  test('is not there in other gateways', async () => {
    const gateway = await runGateway({ console: { files: new Map() } });
    const headers = [['Sec-Fetch-Site', 'same-origin']] as const;
    expect((await gateway.call(target, { headers })).status).toBe(404);
  });
});
