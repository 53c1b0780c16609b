import { expect, onTestFinished, test } from 'vitest';
import { keyAccess } from '../../../../src/calls/access/authentication/access.ts';
import { createServer } from '../../../../src/server/listener/server.ts';
import { serverParts } from '../../../support/gateway-parts.ts';

/** A server that answers everything with a text. */
async function answering(body: string): Promise<string> {
  const server = createServer(
    serverParts(keyAccess([]), {
      routes: () => [
        {
          ...{ path: '/', methods: ['GET', 'HEAD'], scope: 'public' },
          answer: async () => ({ status: 200, headers: { 'Content-Type': 'text/plain' }, body }),
        },
      ],
    }),
  );
  onTestFinished(() => void server.close());
  return (await server.listen({ host: '127.0.0.1', port: 0 })).url;
}

test.each([10, 70_000, 300_000])(
  'a text of %d characters is counted and sent as the bytes it has',
  async (length) => {
    const text = 'ä€😀x'.repeat(length / 5);
    const url = await answering(text);
    const got = await fetch(url);
    expect(got.headers.get('content-length')).toBe(String(length * 2));
    expect(await got.text()).toBe(text);
    const head = await fetch(url, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(length * 2));
    expect(await head.text()).toBe('');
  },
);
