import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RunningGateway, runGateway } from '../listener/running-gateway.ts';

/** Latin-1 texts: every byte is possible. Those of HTTP's own syntax are frequent. */
const bytes = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0xff }), fc.constantFrom(...Buffer.from('%&=?/+[]{}":,;'))))
  .map((codes) => Buffer.from(codes).toString('latin1'));

const targetText = bytes.map((text) => text.replace(/[\x20\x7f]/g, ''));
const target = fc.oneof(
  targetText.map((text) => `/${text}`),
  targetText.map((text) => `/api/endpoints/query/${text}`),
  targetText.map((text) => `/api/endpoints/query/logs.all?${text}`),
  targetText.map((text) => `/api/endpoints/query/logs.all?project=${text}`),
  targetText.map((text) => `/api/sources/${text}/rows?${text}`),
);

const headerValue = bytes.map((text) => text.replace(/[\x7f]/g, '').trim());
const header = fc.oneof(
  fc.tuple(
    fc.constantFrom('X-API-KEY', 'Authorization', 'Accept-Encoding', 'X-Request-Id', 'Accept'),
    headerValue,
  ),
  fc.tuple(
    fc.constant('Content-Encoding'),
    fc.oneof(headerValue, fc.constantFrom('gzip', 'br', 'deflate', '__proto__')),
  ),
  fc.tuple(
    fc.constant('Content-Type'),
    fc.oneof(
      headerValue,
      fc.constantFrom(
        'application/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=b',
        'multipart/form-data',
        'application/json; charset=utf-16',
      ),
    ),
  ),
);

const jsonText = fc.json().map((text) => Buffer.from(text).toString('latin1'));
const multipartText = fc
  .array(
    fc.oneof(
      bytes,
      fc.constantFrom('--b', '\r\n', '--', 'Content-Disposition: form-data; name="a"', '; filename='),
    ),
  )
  .map((pieces) => pieces.join(''));
const body = fc.oneof(bytes, jsonText, multipartText);

const method = fc.constantFrom('GET', 'POST', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH');

test('whatever comes, the answer is a request error or a result, and comes at once', async () => {
  const gateway = await runGateway();
  await fc.assert(
    fc.asyncProperty(
      method,
      target,
      fc.array(header, { maxLength: 4 }),
      body,
      async (verb, path, headers, content) => {
        const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
        const head = `${verb} ${path} HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\n${lines}`;
        const reply = await context(gateway, `${head}Content-Length: ${content.length}\r\n\r\n${content}`);
        expect(reply).toMatch(/^HTTP\/1\.1 (?:2|4)\d\d /);
        expect(gateway.log.lines).toEqual([]);
      },
    ),
    { numRuns: 500 },
  );
  expect((await gateway.call('/readyz')).status).toBe(200);
});

/** Empty lines in front of a request are skipped (RFC 9112, section 2.2): whoever sends nothing else is waited for. */
const noises = fc
  .uint8Array({ minLength: 1, maxLength: 200 })
  .filter((noise) => noise.some((byte) => byte !== 0x0a && byte !== 0x0d));

test('bytes that are not HTTP end with the connection, not with the gateway', async () => {
  const gateway = await runGateway({ unreadBodyTimeoutMs: 50 });
  await fc.assert(
    fc.asyncProperty(noises, async (noise) => {
      const reply = await context(gateway, `${Buffer.from(noise).toString('latin1')}\r\n\r\n`);
      expect(reply).toMatch(/^(?:HTTP\/1\.1 4\d\d |$)/);
    }),
    { numRuns: 200 },
  );
  expect((await gateway.call('/readyz')).status).toBe(200);
  expect(gateway.log.lines).toEqual([]);
});

/** Sends the text on a connection of its own and gives what comes first, or nothing when it is closed. */
function context(gateway: RunningGateway, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(gateway.port, '127.0.0.1').setEncoding('latin1');
    const hang = setTimeout(() => reject(new Error('no answer within 2 s')), 2000);
    const finish = (received: string) => {
      clearTimeout(hang);
      socket.destroy();
      resolve(received);
    };
    socket.once('data', (received: string) => finish(received));
    socket.once('error', () => finish(''));
    socket.once('close', () => finish(''));
    socket.write(text, 'latin1');
  });
}
