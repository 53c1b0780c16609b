import { expect, onTestFinished, test } from 'vitest';
import type { Source } from '../../../src/definitions/sources/source.ts';
import { defaultEventLimits } from '../../../src/rows/ingest/events/event-request.ts';
import { parseEvents } from '../../../src/rows/ingest/events/parse-events.ts';
import { EventThreads } from '../../../src/rows/ingest/threads/event-threads.ts';
import { ManualClock } from '../../calls/executor/support/manual-clock.ts';
import { appSource, arrival } from './events/support.ts';

const request = { format: 'json', source: 'app', receivedAt: arrival, partial: true } as const;
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

function openThreads(program?: URL): EventThreads {
  const threads = new EventThreads({ isLowered: true, limits: defaultEventLimits }, program);
  onTestFinished(() => threads.close());
  return threads;
}

test('threads parse as this one does, stay for the next body, and end when they are closed', async () => {
  const threads = openThreads();
  const sources = [appSource({ unknownFields: 'add' })];
  const bodies = [
    [{ message: 'a' }, { project: 1 }],
    { batch: [{}, {}] },
    [{ other: [1, { a: 1 }] }],
    [{ other: 1.5 }],
  ];
  const parsed = await Promise.all(bodies.map((body) => threads.parse(bytes(body), request, sources)));
  expect(parsed).toEqual(bodies.map((body) => parseEvents(bytes(body), request, sources)));
  expect(threads.running).toBeGreaterThan(0);
  const running = threads.running;
  await threads.parse(bytes([]), request, sources);
  expect(threads.running).toBe(running);
  await threads.close();
  expect(threads.running).toBe(0);
});

test('threads end when no body has come for a while, and the next one starts them again', async () => {
  const clock = new ManualClock();
  const threads = new EventThreads({ isLowered: true, limits: defaultEventLimits }, undefined, clock);
  onTestFinished(() => threads.close());
  const parse = () => threads.parse(bytes([{}]), request, [appSource()]);
  await parse();
  await clock.advance(9_000);
  await parse();
  await clock.advance(9_000);
  expect(threads.running).toBe(1);
  await clock.advance(2_000);
  expect(threads.running).toBe(0);
  expect((await parse()).sources[0]?.count).toBe(1);
});

test('a body of another key comes before most of those that wait', async () => {
  const threads = openThreads();
  const order: string[] = [];
  const sources = [appSource()];
  const parse = async (key: string) => {
    const body = bytes(Array.from({ length: 1000 }, () => ({ message: 'x'.repeat(100) })));
    await threads.parse(body, { ...request, account: { key, subject: '' } }, sources);
    order.push(key);
  };
  const flood = Array.from({ length: 100 }, () => parse('a'));
  await Promise.all([...flood, parse('b')]);
  // What threads have already, each two bodies, comes before.
  expect(order.indexOf('b')).toBeLessThan(50);
});

test('the body stays with the caller', async () => {
  const threads = openThreads();
  const body = bytes([{ message: 'a' }]);
  await threads.parse(body, request, [appSource()]);
  expect(body.toString()).toBe('[{"message":"a"}]');
});

test('errors for callers arrive as they are', async () => {
  const threads = openThreads();
  await expect(threads.parse(Buffer.from(''), request, [appSource()])).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    message: 'The body is empty.',
  });
  await expect(threads.parse(bytes([]), { ...request, source: 'x' }, [appSource()])).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('limits can be set', async () => {
  const limits = { ...defaultEventLimits, maxEvents: 1 };
  const threads = new EventThreads({ isLowered: false, limits });
  onTestFinished(() => threads.close());
  await expect(threads.parse(bytes([{}, {}]), request, [appSource()])).rejects.toThrow('more than 1 events');
});

test('each body is parsed with the sources that came with it, however often they change', async () => {
  const threads = openThreads();
  const renamed = (name: string): Source[] => [{ ...appSource(), name }];
  const lists = Array.from({ length: 50 }, (_, i) => renamed(`s${i}`));
  const parse = (sources: readonly Source[]) =>
    threads.parse(bytes([{}]), { ...request, source: sources[0]?.name }, sources);
  const all = [...lists, ...lists];
  const parsed = await Promise.all(all.map(parse));
  expect(parsed.map(({ sources }) => sources[0]?.source)).toEqual(all.map(([source]) => source?.name));
});

test('a thread that fails is an error, and the next body gets a new one', async () => {
  const threads = openThreads(new URL('failing-thread.ts', import.meta.url));
  for (let i = 0; i < 2; i++) {
    await expect(threads.parse(bytes([]), request, [appSource()])).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
    });
  }
  expect(threads.running).toBe(0);
});
