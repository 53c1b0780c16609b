import { expect, onTestFinished, test } from 'vitest';
import { Failure } from '../../../../src/console/api/failure.ts';
import type { JsonObject } from '../../../../src/console/api/json.ts';
import type { TailStatus } from '../../../../src/console/parts/live/tail-follower.ts';
import { TailFollower } from '../../../../src/console/parts/live/tail-follower.ts';
import { ManualClock, settled } from '../../../calls/executor/support/manual-clock.ts';

/** A connection, of which the test is the gateway. */
class Connection {
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal;
  #answer = Promise.withResolvers<Response>();
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(lastEventId: string | undefined, signal: AbortSignal) {
    this.lastEventId = lastEventId;
    this.signal = signal;
    signal.addEventListener('abort', () => this.fail(new TypeError('aborted')));
  }

  get response(): Promise<Response> {
    return this.#answer.promise;
  }

  async send(...texts: readonly string[]): Promise<void> {
    if (this.#body === undefined) {
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => {
          this.#body = controller;
        },
      });
      this.#answer.resolve(new Response(stream));
    }
    for (const text of texts) this.#body?.enqueue(new TextEncoder().encode(text));
    await settled();
  }

  async close(): Promise<void> {
    this.#body?.close();
    await settled();
  }

  fail(thrown: unknown): void {
    this.#answer.reject(thrown);
    try {
      this.#body?.error(thrown);
    } catch {
      // It has ended.
    }
  }
}

class Bench {
  readonly clock = new ManualClock();
  readonly connections: Connection[] = [];
  readonly statuses: TailStatus[] = [];
  readonly heard: unknown[] = [];
  readonly follower = new TailFollower({
    open: (lastEventId, signal) => {
      const connection = new Connection(lastEventId, signal);
      this.connections.push(connection);
      return connection.response;
    },
    listener: {
      status: (status) => this.statuses.push(status),
      rows: (rows: readonly JsonObject[]) => this.heard.push(...rows.map(({ id }) => id)),
      skipped: () => this.heard.push('skipped'),
      trouble: ({ message }) => this.heard.push(message),
    },
    clock: this.clock,
    random: () => 0,
  });
  readonly #ended = new AbortController();
  readonly done: Promise<void>;

  constructor() {
    this.done = this.follower.follow(this.#ended.signal);
    onTestFinished(() => this.leave());
  }

  get last(): Connection {
    const last = this.connections.at(-1);
    if (last === undefined) throw new Error('there is no connection');
    return last;
  }

  get states(): readonly string[] {
    return this.statuses.map(({ state }) => state);
  }

  leave(): Promise<void> {
    this.#ended.abort();
    return this.done;
  }
}

function rows(id: string, ...ids: readonly string[]): string {
  return `event: rows\nid: ${id}\ndata: ${JSON.stringify({ result: ids.map((each) => ({ id: each })) })}\n\n`;
}

function error(code: string, final: boolean): string {
  return `event: error\ndata: ${JSON.stringify({ error: `it is ${code}`, code, final })}\n\n`;
}

const offline = () => new Failure('away', { code: 'OFFLINE', status: 0 });

test('rows, gaps and failed runs are told as they come, however the bytes are cut', async () => {
  const bench = new Bench();
  const text = `retry: 1500\n\n${rows('1', 'a', 'ä')}:\n\nevent: skipped\ndata: {}\n\n${error('QUERY_FAILED', false)}`;
  await bench.last.send(text.slice(0, 30), text.slice(30));
  expect(bench.heard).toEqual(['a', 'ä', 'skipped', 'it is QUERY_FAILED']);
  expect(bench.states).toEqual(['connecting', 'live']);
});

test('after the end of a stream, it goes on from the last event after the time that the gateway tells', async () => {
  const bench = new Bench();
  await bench.last.send('retry: 1700\n\n', rows('first', 'a'), rows('second', 'b'));
  await bench.last.close();
  expect(bench.statuses.at(-1)).toEqual({
    state: 'waiting',
    until: bench.clock.now() + 1700,
    failure: undefined,
  });
  await bench.clock.advance(1699);
  expect(bench.connections).toHaveLength(1);
  await bench.clock.advance(1);
  expect(bench.connections).toHaveLength(2);
  expect(bench.last.lastEventId).toBe('second');
  await bench.last.send(rows('third', 'c'));
  expect(bench.heard).toEqual(['a', 'b', 'c']);
  expect(bench.states).toEqual(['connecting', 'live', 'waiting', 'connecting', 'live']);
});

test('the pauses double with each failure up to half a minute, and begin anew after rows', async () => {
  const bench = new Bench();
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 7; attempt += 1) {
    bench.last.fail(offline());
    await settled();
    const status = bench.statuses.at(-1);
    if (status?.state !== 'waiting') throw new Error('it does not wait');
    pauses.push(status.until - bench.clock.now());
    await bench.clock.advance(status.until - bench.clock.now());
  }
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  await bench.last.send(rows('1', 'a'));
  await bench.last.close();
  expect(bench.statuses.at(-1)).toMatchObject({ until: bench.clock.now() + 1000 });
});

test('a gateway that asks for more time gets it', async () => {
  const bench = new Bench();
  bench.last.fail(new Failure('too many streams', { code: 'RATE_LIMITED', status: 429, retryAfter: 5 }));
  await settled();
  expect(bench.statuses.at(-1)).toMatchObject({ state: 'waiting', until: bench.clock.now() + 5000 });
});

test('a user who does not want to wait connects at once', async () => {
  const bench = new Bench();
  bench.last.fail(offline());
  await settled();
  bench.follower.retryNow();
  await settled();
  expect(bench.connections).toHaveLength(2);
});

test('a connection that is silent for too long is given up; signs of life keep it', async () => {
  const bench = new Bench();
  await bench.last.send(rows('1', 'a'));
  await bench.clock.advance(40_000);
  await bench.last.send(':\n\n');
  await bench.clock.advance(40_000);
  expect(bench.states).toEqual(['connecting', 'live']);
  await bench.clock.advance(5_000);
  expect(bench.states.slice(2, 3)).toEqual(['waiting']);
  expect(bench.connections[0]?.signal.aborted).toBe(true);
});

test('a failure that will come again ends it, in a stream and before', async () => {
  const invalid = new Failure('LQL: no', { code: 'BAD_USER_INPUT', status: 400, parameter: 'lql' });
  const one = new Bench();
  one.last.fail(invalid);
  await one.done;
  expect(one.statuses.at(-1)).toEqual({ state: 'ended', failure: invalid });

  const other = new Bench();
  await other.last.send(rows('1', 'a'), error('FORBIDDEN', true));
  await other.done;
  expect(other.statuses.at(-1)).toMatchObject({ state: 'ended', failure: { message: 'it is FORBIDDEN' } });
  expect(other.last.signal.aborted).toBe(true);
});

test('what is no event of a tail ends it', async () => {
  const bench = new Bench();
  await bench.last.send('event: rows\ndata: {"result": 1\n\n');
  await bench.done;
  expect(bench.statuses.at(-1)).toMatchObject({ state: 'ended', failure: { facts: { code: 'BAD_ANSWER' } } });
});

test('a key that is revoked is presented once more at once, so that its refusal is known', async () => {
  const bench = new Bench();
  await bench.last.send(rows('1', 'a'), error('UNAUTHENTICATED', true));
  await bench.clock.advance(100);
  expect(bench.connections).toHaveLength(2);
  bench.last.fail(new Failure('Unauthorized', { code: 'UNAUTHENTICATED', status: 401 }));
  await bench.done;
  expect(bench.states.at(-1)).toBe('ended');
});

test('who leaves ends the connection, and hears nothing more', async () => {
  const bench = new Bench();
  await bench.last.send(rows('1', 'a'));
  await bench.leave();
  expect(bench.last.signal.aborted).toBe(true);
  expect(bench.states).toEqual(['connecting', 'live']);
});
