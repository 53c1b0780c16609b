import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { GatewayError } from '../../src/base/errors/errors.ts';
import { runCachingGateway, target, textEndpoint } from '../server/rest/support/caching-gateway.ts';
import { blocksOf, quoted, tableRows } from './markdown.ts';

const file = 'docs/caching.md';

/** The headers that a block of the document shows. */
function shownHeaders(block = ''): Record<string, unknown> {
  const lines = block.trim().split('\n');
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(': ');
      const value = line.slice(colon + 2);
      const name = line.slice(0, colon).toLowerCase();
      return [name, value.includes('<22 characters>') ? expect.stringMatching(/^"[\w-]{22}"$/) : value];
    }),
  );
}

test('docs/caching.md shows the headers that callers get', async () => {
  const [first, later] = await blocksOf(file, 'http');
  const { call, clock } = await runCachingGateway(textEndpoint({ cacheSeconds: 900 }));
  expect((await call()).headers).toMatchObject(shownHeaders(first));
  await clock.advance(100_000);
  const { headers } = await call();
  expect(headers).toMatchObject(shownHeaders(later));
  expect((await call(target, { headers: { 'If-None-Match': String(headers.etag) } })).status).toBe(304);
});

test('docs/caching.md lists every Cache-Status', async () => {
  const rows = await tableRows(file, '`Cache-Status: endpoint-gateway; …`');
  const endpoint = textEndpoint({ cacheSeconds: 900, staleIfErrorSeconds: 60 });
  const { call, clock, engine, executor, joined } = await runCachingGateway(endpoint);
  const seen: unknown[] = [];
  const see = async (calls: ReturnType<typeof call>[]) => {
    for (const { headers } of await Promise.all(calls)) seen.push(headers['cache-status']);
  };
  engine.answer = undefined;
  for (const isInvalidated of [true, false]) {
    const runs = engine.runs.length;
    const first = call();
    await expect.poll(() => engine.runs.length).toBe(runs + 1);
    const before = joined();
    const second = call();
    await expect.poll(joined).toBe(before + 1);
    if (isInvalidated) await executor.invalidate({});
    engine.latest.succeed([['x']]);
    await see([first, second]);
  }
  await clock.advance(100_000);
  await see([call()]);
  engine.answer = () => {
    throw new GatewayError('BACKEND_UNAVAILABLE', 'Gone.');
  };
  await clock.advance(815_000);
  await see([call()]);
  const uncached = await runCachingGateway(textEndpoint({ cacheSeconds: 0 }));
  uncached.engine.answer = undefined;
  const first = uncached.call();
  await expect.poll(() => uncached.engine.runs.length).toBe(1);
  const second = uncached.call();
  await expect.poll(uncached.joined).toBe(1);
  uncached.engine.latest.succeed([['x']]);
  await see([first, second]);
  const listed = rows.map(([shown = '']) => `endpoint-gateway; ${quoted(shown)}`);
  expect(new Set(seen)).toEqual(new Set(listed));
});

test('README leads to docs/caching.md', async () => {
  expect(await readFile('README.md', 'utf8')).toContain('docs/caching.md');
});
