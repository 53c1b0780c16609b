import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { fakeExecutor, noRows, runGateway } from './running-gateway.ts';

const target = '/api/endpoints/query/logs.all?project=a';

/** An executor whose runs end when the test says so. */
function heldExecutor() {
  const started = Promise.withResolvers<void>();
  const end = Promise.withResolvers<typeof noRows>();
  const executor = fakeExecutor(() => {
    started.resolve();
    return end.promise;
  });
  return { executor, started: started.promise, finish: () => end.resolve(noRows) };
}

describe('stopping', () => {
  test('lets a request that has begun finish, and takes no new ones', async () => {
    const held = heldExecutor();
    const gateway = await runGateway({ executor: held.executor });
    const reply = gateway.call(target);
    await held.started;
    const closed = gateway.close();
    await expect
      .poll(() =>
        fetch(`${gateway.url}/readyz`).then(
          () => 'answered',
          () => 'refused',
        ),
      )
      .toBe('refused');
    held.finish();
    expect((await reply).status).toBe(200);
    await closed;
  });

  test('says 503 at /readyz to a connection that is still open', async () => {
    const held = heldExecutor();
    const gateway = await runGateway({ executor: held.executor });
    const socket = connect(gateway.port, '127.0.0.1').setEncoding('latin1');
    let received = '';
    socket.on('data', (text) => {
      received += text;
    });
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\n\r\n`);
    await held.started;
    const closed = gateway.close();
    socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 30));
    held.finish();
    await Promise.all([closed, once(socket, 'close')]);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 503']);
  });

  test('answers all of what a client sends at once, the last with the word to let go', async () => {
    const gateway = await runGateway({ isReady: () => false });
    const socket = connect(gateway.port, '127.0.0.1').setEncoding('latin1');
    let received = '';
    socket.on('data', (text) => {
      received += text;
    });
    await once(socket, 'connect');
    gateway.drain();
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(16));
    await once(socket, 'close');
    expect(received.match(/HTTP\/1\.1 200|Connection: \S+/g)).toEqual([
      ...Array.from({ length: 15 }, () => ['HTTP/1.1 200', 'Connection: keep-alive']).flat(),
      'HTTP/1.1 200',
      'Connection: close',
    ]);
  });

  test('ends though a client sends one request after the other without waiting', async () => {
    let turn: Promise<unknown> = Promise.resolve();
    const executor = fakeExecutor(async () => {
      turn = turn.then(() => new Promise((resolve) => setTimeout(resolve, 20)));
      await turn;
      return noRows;
    });
    const gateway = await runGateway({ executor, stopTimeoutMs: 60_000 });
    const socket = connect(gateway.port, '127.0.0.1').setEncoding('latin1');
    const send = () => socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\n\r\n`);
    let [sent, answers, isTold] = [4, 0, false];
    socket.on('data', (text: string) => {
      for (const [word] of text.matchAll(/HTTP\/1\.1 200|Connection: close/g)) {
        if (word === 'Connection: close') isTold = true;
        else answers++;
      }
      for (; !isTold && sent < answers + 4; sent++) send();
    });
    for (let begun = 0; begun < sent; begun++) send();
    await once(socket, 'data');
    // What it has sent on is not read any more.
    socket.on('error', () => {});
    const over = new Promise((resolve) => socket.once('close', resolve));
    await Promise.all([gateway.close(), over]);
    expect(isTold).toBe(true);
    expect(executor.calls).toHaveLength(answers);
    expect(gateway.log.lines).toEqual([]);
  });

  test('does not wait for connections that are only kept alive', async () => {
    const gateway = await runGateway({ stopTimeoutMs: 60_000 });
    await gateway.call('/readyz');
    const started = performance.now();
    await gateway.close();
    // They are kept for 65 s.
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('answers clients that come back again and again only when it has stopped listening: none is reset', async () => {
    const gateway = await runGateway();
    const failures: unknown[] = [];
    const client = async () => {
      for (;;) {
        try {
          await fetch(`${gateway.url}${target}`, { headers: { 'X-API-KEY': 'key', Connection: 'close' } });
        } catch (error) {
          const code = error instanceof Error && (error.cause as NodeJS.ErrnoException).code;
          if (code === 'ECONNREFUSED') return;
          failures.push(error);
        }
      }
    };
    const clients = Array.from({ length: 8 }, client);
    await expect.poll(() => gateway.executor.calls.length).toBeGreaterThan(20);
    await Promise.all([gateway.close(), ...clients]);
    expect(failures).toEqual([]);
  });

  test('cuts what takes too long, and tells the engine', async () => {
    const held = heldExecutor();
    const gateway = await runGateway({ executor: held.executor, stopTimeoutMs: 50 });
    const reply = expect(gateway.call(target)).rejects.toThrow();
    await held.started;
    const signal = held.executor.runs[0]?.signal as AbortSignal;
    await Promise.all([gateway.close(), once(signal, 'abort'), reply]);
  });

  test('can be requested twice', async () => {
    const gateway = await runGateway();
    await Promise.all([gateway.close(), gateway.close()]);
  });
});
