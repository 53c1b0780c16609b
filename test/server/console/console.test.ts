import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readBuiltFiles } from '../../../src/server/console/console-handler.ts';
import { temporaryFolder } from '../../engines/duckdb/store/support.ts';
import { type Call, type RunningGateway, runGateway } from '../listener/running-gateway.ts';

/** What browsers send when they open a page. */
const html = ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'] as const;

const page =
  '<!doctype html><html><head><title>Console</title><script type="module" src="/console/main-ABCD1234.js"></script></head></html>';
const script = `const text = 'ü';\n${'// long\n'.repeat(1000)}`;

/** A folder as the build of the console leaves it. */
async function builtFolder(): Promise<string> {
  const folder = path.join(await temporaryFolder(), 'console');
  await mkdir(folder);
  const files = {
    'index.html': page,
    'main-ABCD1234.js': script,
    'theme-0A1B2C3D.css': 'body { color: black }',
    'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  return folder;
}

async function runConsole(
  environment: Readonly<Record<string, string>> = {},
  keyInAddress = false,
): Promise<RunningGateway> {
  return runGateway({
    console: { files: await readBuiltFiles(await builtFolder()), keyInAddress },
    environment,
  });
}

/** The bytes of a response as they were sent. */
async function bytesOf({ url }: RunningGateway, target: string, encoding: string) {
  const { request } = await import('node:http');
  const { promise, resolve, reject } = Promise.withResolvers<{
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly body: Buffer;
  }>();
  request(`${url}${target}`, { headers: { [html[0]]: html[1], 'Accept-Encoding': encoding } }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
  })
    .on('error', reject)
    .end();
  return promise;
}

describe('the page', () => {
  const open = (gateway: RunningGateway, { headers = [], ...call }: Call = {}) =>
    gateway.call('/', { anonymous: true, headers: [html, ...headers], ...call });

  test('is at / for browsers, without a key', async () => {
    const gateway = await runConsole();
    const reply = await open(gateway);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      vary: 'Accept, Accept-Encoding',
    });
    expect(reply.body).toContain('<title>Console</title>');
    const head = await open(gateway, { method: 'HEAD' });
    expect([head.status, head.body, head.headers.etag]).toEqual([200, '', reply.headers.etag]);
  });

  test('is for programs what it was', async () => {
    const gateway = await runConsole();
    for (const accept of ['*/*', 'application/json', 'text/html;q=0.5, application/json'])
      expect((await gateway.call('/', { headers: [['Accept', accept]] })).status).toBe(404);
    expect((await open(gateway, { method: 'POST' })).status).toBe(404);
  });

  test('may run its own scripts and styles and call its own gateway, and nothing else', async () => {
    const { headers } = await open(await runConsole());
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });

  test('is not sent again to a browser that has it', async () => {
    const gateway = await runConsole();
    const { headers } = await open(gateway);
    const known = await open(gateway, { headers: [['If-None-Match', headers.etag ?? '']] });
    expect([known.status, known.body, known.headers.etag]).toEqual([304, '', headers.etag]);
    expect(known.headers['content-security-policy']).toBe(headers['content-security-policy']);
  });

  test('knows whether there is GraphiQL, and whether it takes a key from its address', async () => {
    const both = (await open(await runConsole({}, true))).body;
    expect(both).toContain('<meta name="graphiql" content="/graphql">');
    expect(both).toContain('<meta name="key-in-address" content="yes">');
    expect((await open(await runConsole({ GRAPHIQL: 'false' }))).body).toBe(page);
  });

  test('tells what to run if it has not been built', async () => {
    const files = await readBuiltFiles(path.join(await temporaryFolder(), 'missing'));
    const gateway = await runGateway({ console: { files } });
    const reply = await open(gateway);
    expect(reply.status).toBe(503);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.body).toContain('<code>npm run build:console</code>');
    expect((await gateway.call('/')).status).toBe(404);
  });

  test('is not there if it is switched off', async () => {
    const gateway = await runGateway();
    expect((await open(gateway)).status).toBe(404);
    expect((await gateway.call('/console/main-ABCD1234.js')).status).toBe(404);
  });
});

describe('a file of the page', () => {
  test.each([
    ['main-ABCD1234.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['theme-0A1B2C3D.css', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['icon.svg', 'image/svg+xml', 'no-cache'],
  ])('%s is kept by browsers for ever if its name changes with it', async (name, type, cache) => {
    const gateway = await runConsole();
    const { status, headers } = await gateway.call(`/console/${name}`, { anonymous: true });
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, type, cache]);
    const known = [['If-None-Match', headers.etag ?? '']] as const;
    expect((await gateway.call(`/console/${name}`, { headers: known })).status).toBe(304);
  });

  test('is compressed as the browser can take it', async () => {
    const gateway = await runConsole();
    const target = '/console/main-ABCD1234.js';
    const [plain, brotli, gzip] = await Promise.all(
      ['identity', 'gzip, deflate, br', 'gzip'].map((encoding) => bytesOf(gateway, target, encoding)),
    );
    expect([plain, brotli, gzip].map((reply) => reply?.headers['content-encoding'])).toEqual([
      undefined,
      'br',
      'gzip',
    ]);
    expect(plain?.body.toString()).toBe(script);
    expect(brotliDecompressSync(brotli?.body ?? '').toString()).toBe(script);
    expect(gunzipSync(gzip?.body ?? '').toString()).toBe(script);
    expect(new Set([plain, brotli, gzip].map((reply) => reply?.headers.etag)).size).toBe(3);
    expect(plain?.headers.vary).toBe('Accept-Encoding');
  });

  test.each([
    '/console/',
    '/console/index.html',
    '/console/nothing.js',
    '/console/__proto__',
    '/console/../console/main-ABCD1234.js',
    '/console/%2e%2e/package.json',
  ])('is one of the build: %s is not', async (target) => {
    const gateway = await runConsole();
    expect((await gateway.call(target, { headers: [html] })).status).toBe(404);
  });
});
