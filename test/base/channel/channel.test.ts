import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { raceWithAbort } from '../../../src/base/async/race-with-abort.ts';
import { Answerer } from '../../../src/base/channel/answerer.ts';
import { Caller } from '../../../src/base/channel/caller.ts';
import { type Transport, windowBytes } from '../../../src/base/channel/channel.ts';
import { FrameTransport } from '../../../src/base/channel/frame-transport.ts';
import { moving, portTransport } from '../../../src/base/channel/port-transport.ts';
import { listenOnce } from '../../../src/base/processes/private-socket.ts';
import { temporaryFolder } from '../../engines/duckdb/store/support.ts';

interface Calls {
  add(a: number, b: bigint): Promise<string>;
  fail(message: string): Promise<void>;
  wait(options: { readonly name: string; readonly signal: AbortSignal }): Promise<string>;
  count(body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number>;
  refuse(body: AsyncIterable<Uint8Array>): Promise<void>;
  give(sizes: readonly number[], take: (bytes: Uint8Array) => void | Promise<void>): Promise<string>;
  hold(task: (files: string) => Promise<void>): Promise<string>;
}

const text = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** What the other side has done. */
const done: string[] = [];

const calls: Calls = {
  add: async (a, b) => `${a} ${b}`,
  fail: (message) => Promise.reject(new Error(message)),
  async wait({ name, signal }) {
    try {
      return await raceWithAbort(() => new Promise<never>(() => {}), signal);
    } finally {
      done.push(`${name} has ended`);
    }
  },
  async count(body, signal) {
    let bytes = 0;
    await raceWithAbort(async () => {
      for await (const piece of body) bytes += piece.length;
    }, signal);
    return bytes;
  },
  refuse: () => Promise.reject(new Error('no body is taken')),
  async give(sizes, take) {
    for (const size of sizes) {
      await take(new Uint8Array(size).fill(size % 256));
      done.push(`gave ${size}`);
    }
    return 'all';
  },
  async hold(task) {
    await task('files');
    done.push('held');
    return 'released';
  },
};

async function socketTransports(): Promise<[Transport, Transport]> {
  const socket = await listenOnce(await temporaryFolder());
  const other = connect(socket.path);
  const connection = await socket.connection;
  onTestFinished(() => void connection.destroy());
  return [new FrameTransport(connection), new FrameTransport(other)];
}

async function portTransports(): Promise<[Transport, Transport]> {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  return [portTransport(port1), portTransport(port2)];
}

describe.each([
  ['a socket', socketTransports],
  ['ports', portTransports],
])('over %s', (_, transports) => {
  async function open(onCancel?: () => { cancel(): void }) {
    done.length = 0;
    const [here, there] = await transports();
    const events: string[] = [];
    const caller = new Caller<Calls, string>(here, {
      unpackError: (bytes) => new Error(Buffer.from(bytes).toString()),
      onEvent: (event) => void events.push(event),
      ...(onCancel && { onCancel }),
    });
    const packError = (error: unknown) => Buffer.from(text(error));
    const answerer = new Answerer<Calls, string>(there, calls, {
      packError,
      cancelled: () => new Error('cancelled'),
    });
    return { caller, calls: caller.calls, answerer, events };
  }

  test('calls are answered by their results and errors, and events arrive before later answers', async () => {
    const { calls, answerer, events } = await open();
    expect(await Promise.all([calls.add(1, 2n), calls.add(3, 4n)])).toEqual(['1 2', '3 4']);
    await expect(calls.fail('no such thing')).rejects.toThrow('no such thing');
    answerer.tell('news');
    await calls.add(1, 2n);
    expect(events).toEqual(['news']);
  });

  test('a cancelled call rejects with the reason when its work has ended, and is watched until then', async () => {
    const watched: string[] = [];
    const { calls, caller } = await open(() => {
      watched.push('begun');
      return { cancel: () => void watched.push('over') };
    });
    const leaving = new AbortController();
    const waiting = calls.wait({ name: 'it', signal: leaving.signal });
    await calls.add(1, 2n);
    leaving.abort(new Error('left'));
    expect([watched, caller.inFlight]).toEqual([['begun'], 1]);
    await expect(waiting).rejects.toThrow('left');
    expect([done, watched, caller.inFlight]).toEqual([['it has ended'], ['begun', 'over'], 0]);
  });

  test('a body is read at the pace of the other side, and fails the call when it fails', async () => {
    const { calls } = await open();
    const { signal } = new AbortController();
    async function* body(pieces: number, failure?: Error) {
      for (let i = 0; i < pieces; i++) yield new Uint8Array(1 << 20);
      if (failure !== undefined) throw failure;
    }
    expect(await calls.count(body(20), signal)).toBe(20 << 20);
    await expect(calls.count(body(2, new Error('damaged')), signal)).rejects.toThrow('damaged');
  });

  test('after an early answer, the rest of a body is not read', async () => {
    const { calls } = await open();
    let isLeft = false;
    async function* endless() {
      try {
        for (;;) yield new Uint8Array(1 << 20);
      } finally {
        isLeft = true;
      }
    }
    await expect(calls.refuse(endless())).rejects.toThrow('no body is taken');
    expect(isLeft).toBe(true);
  });

  test('a function is called with all bytes, in order, and its caller waits only for a full window', async () => {
    const { calls } = await open();
    const first = Promise.withResolvers<void>();
    const taken: number[] = [];
    const sizes = [1, windowBytes, 100_000, 3];
    const given = calls.give(sizes, async (bytes) => {
      await first.promise;
      expect(bytes.every((byte) => byte === bytes.length % 256)).toBe(true);
      taken.push(bytes.length);
    });
    await expect.poll(() => done).toEqual(['gave 1']);
    await setImmediate();
    expect(done).toEqual(['gave 1']);
    first.resolve();
    expect(await given).toBe('all');
    expect(taken).toEqual(sizes);
  });

  test('an error of a function cancels the call, which rejects with it', async () => {
    const { calls } = await open();
    const failing = calls.give([1, windowBytes, 1], () => Promise.reject(new Error('the reader has left')));
    await expect(failing).rejects.toThrow('the reader has left');
    expect(done).toEqual(['gave 1']);
  });

  test('a function with another value is waited for, unless the other side ends', async () => {
    const { caller, calls } = await open();
    const release = Promise.withResolvers<void>();
    const holding = calls.hold(async (files) => {
      expect(files).toBe('files');
      await release.promise;
    });
    await calls.add(1, 2n);
    expect(done).toEqual([]);
    release.resolve();
    expect(await holding).toBe('released');
    const lost = calls.hold(() => new Promise(() => {}));
    await calls.add(1, 2n);
    caller.end(new Error('it ended'));
    await expect(lost).rejects.toThrow('it ended');
    await expect(calls.add(1, 2n)).rejects.toThrow('it ended');
  });

  test('what cannot be copied is an error of its call', async () => {
    const { calls, caller } = await open();
    const uncopied = { inside: () => {} } as unknown as number;
    await expect(calls.add(uncopied, 1n)).rejects.toThrow('could not be cloned');
    expect(caller.inFlight).toBe(0);
  });
});

test('marked buffers move to the other thread', async () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  interface Echo {
    echo(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>;
  }
  const unpackError = () => new Error();
  const { calls } = new Caller<Echo>(portTransport(port1), { unpackError });
  let sent: Uint8Array | undefined;
  const echo = async (bytes: Uint8Array<ArrayBuffer>) => {
    sent = bytes;
    return moving(bytes, [bytes.buffer]);
  };
  new Answerer<Echo>(
    portTransport(port2),
    { echo },
    { packError: () => new Uint8Array(), cancelled: () => new Error('cancelled') },
  );
  const bytes = new Uint8Array([1, 2, 3]);
  expect(await calls.echo(moving(bytes, [bytes.buffer]))).toEqual(new Uint8Array([1, 2, 3]));
  expect([bytes.length, sent?.length]).toEqual([0, 0]);
});
