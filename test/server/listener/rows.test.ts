import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { keyAccess } from '../../../src/calls/access/authentication/access.ts';
import { everyScope } from '../../../src/calls/access/caller/caller.ts';
import type { ReceiveRows } from '../../../src/server/collectors/rows-handler.ts';
import { runGateway, sendRaw } from './running-gateway.ts';

const target = '/api/sources/edge_logs/rows';
const received = { imported: 2, duplicates: 1, rejected: [{ line: 3, reason: 'bad' }], rejectedCount: 1 };

/** Reads the body to its end and keeps what it was called with. */
function collector() {
  const calls: { source: string; body: string; options: Parameters<ReceiveRows>[2] }[] = [];
  const receiveRows: ReceiveRows = async (source, body, options) => {
    calls.push({ source, body: await text(body), options });
    return received;
  };
  return { calls, receiveRows };
}

describe('rows that are sent to a source', () => {
  test.each(['key', 'token'])(
    'are received with the key %s, and what became of them is told',
    async (key) => {
      const { calls, receiveRows } = collector();
      const gateway = await runGateway({ receiveRows });
      const headers = [
        ['Authorization', `Bearer ${key}`],
        ['Content-Encoding', 'gzip'],
      ] as const;
      const body = '{"id":"1"}\n{"id":"2"}\n';
      const reply = await gateway.call(`${target}?skip_bad_rows=true`, {
        method: 'POST',
        anonymous: true,
        headers,
        body,
      });
      expect(reply.status).toBe(200);
      expect(JSON.parse(reply.body)).toEqual(received);
      expect(calls).toMatchObject([
        { source: 'edge_logs', body, options: { contentEncoding: 'gzip', skipBadRows: true } },
      ]);
    },
  );

  test('are imported all or none by default', async () => {
    const { calls, receiveRows } = collector();
    const gateway = await runGateway({ receiveRows });
    await gateway.call(target, { method: 'POST', body: '' });
    const signal = expect.any(AbortSignal);
    expect(calls[0]?.options).toEqual({
      ...{ skipBadRows: false, lineNumbers: false, isReplacing: false, signal, writable: 'all' },
      account: { key: 'key owner', subject: '' },
    });
    for (const query of ['skip_bad_rows=maybe', 'line_numbers=1', 'skip_bad_rows=false&skip_bad_rows=true']) {
      expect((await gateway.call(`${target}?${query}`, { method: 'POST', body: '' })).status).toBe(400);
    }
  });

  test.each([
    ['application/vnd.apache.parquet', 'gateway import'],
    ['Application/X-Parquet', 'gateway import'],
    ['application/gzip', 'Content-Encoding: gzip'],
    ['application/x-gzip; q=1', 'Content-Encoding: gzip'],
  ])('are not of the type %s, even if there are none', async (type, advice) => {
    const { calls, receiveRows } = collector();
    const gateway = await runGateway({ receiveRows });
    const headers = [['Content-Type', type]] as const;
    const reply = await gateway.call(target, { method: 'POST', headers, body: '' });
    expect(reply.status).toBe(415);
    expect(JSON.parse(reply.body)).toEqual({
      error: expect.stringContaining(advice),
      code: 'UNSUPPORTED_MEDIA_TYPE',
    });
    expect(calls).toEqual([]);
  });

  test('of one key leave room for those of others', async () => {
    const begun: string[] = [];
    const gates: (() => void)[] = [];
    const receiveRows: ReceiveRows = async (_source, _body, { account }) => {
      begun.push(account?.key ?? '');
      await new Promise<void>((resolve) => void gates.push(resolve));
      return received;
    };
    const gateway = await runGateway({ receiveRows });
    const upload = (headers: readonly (readonly [string, string])[] = []) =>
      gateway.call(target, { method: 'POST', headers, body: '{}', anonymous: headers.length > 0 });
    const flood = Array.from({ length: 6 }, () => upload());
    await expect.poll(() => begun.length).toBe(4);
    const other = upload([['X-API-KEY', 'token']]);
    await expect.poll(() => begun.at(-1)).toBe('key import');
    expect(begun).toHaveLength(5);
    for (let done = 0; done < 7; done++) {
      await expect.poll(() => gates.length).toBeGreaterThan(0);
      gates.shift()?.();
    }
    expect((await Promise.all([...flood, other])).map(({ status }) => status)).toEqual(Array(7).fill(200));
  });

  test('need a key, and POST', async () => {
    const gateway = await runGateway();
    expect((await gateway.call(target, { method: 'POST', anonymous: true, body: '{}' })).status).toBe(401);
    expect(await gateway.call(target)).toMatchObject({ status: 405, headers: { allow: 'POST, OPTIONS' } });
    expect((await gateway.call('/api/sources/%ff/rows', { method: 'POST' })).status).toBe(400);
  });

  test('that are refused midway leave the caller with the reason and a connection that works', async () => {
    const receiveRows: ReceiveRows = async (_source, body) => {
      for await (const _piece of body) throw new GatewayError('BAD_USER_INPUT', 'Line 1: bad.');
      return received;
    };
    const gateway = await runGateway({ receiveRows });
    const reply = await gateway.call(target, { method: 'POST', body: Buffer.alloc(5_000_000, 'x') });
    expect(reply).toMatchObject({ status: 400, body: '{"error":"Line 1: bad.","code":"BAD_USER_INPUT"}' });
    expect((await gateway.call('/readyz')).status).toBe(200);
  });

  test('are taken at the pace of the receiver, beyond the deadline of other requests', async () => {
    const receiveRows: ReceiveRows = async (_source, body) => {
      let sum = 0;
      for await (const piece of body) {
        sum += piece.length;
        if (sum < 1_000_000) await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return { ...received, imported: sum };
    };
    const gateway = await runGateway({ receiveRows, requestTimeoutMs: 20 });
    const reply = await gateway.call(target, { method: 'POST', body: Buffer.alloc(3_000_000, 'x') });
    expect(JSON.parse(reply.body).imported).toBe(3_000_000);
  });

  test('whose sender leaves end in an error for the receiver, not in the end of the body', async () => {
    const outcome = Promise.withResolvers<unknown>();
    const aborted = Promise.withResolvers<void>();
    const receiveRows: ReceiveRows = async (_source, body, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve());
      outcome.resolve(
        await text(body).then(
          () => 'complete',
          () => 'failed',
        ),
      );
      return received;
    };
    const gateway = await runGateway({ receiveRows });
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(`POST ${target} HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\nContent-Length: 100\r\n\r\n{"id":`);
    setTimeout(() => socket.destroy(), 30);
    expect(await outcome.promise).toBe('failed');
    await aborted.promise;
    expect(gateway.log.lines).toEqual([]);
  });

  test('that stop coming end in an error that says so', async () => {
    const { calls, receiveRows } = collector();
    const gateway = await runGateway({ receiveRows, uploadWindowMs: 40, unreadBodyTimeoutMs: 40 });
    const head = `POST ${target} HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\nContent-Length: 100\r\n\r\n`;
    expect(await sendRaw(gateway.port, head, '{"id":')).toMatch(
      /^HTTP\/1\.1 408 .*less than 1000 bytes a second/s,
    );
    expect(calls).toEqual([]);
  });

  test('that come at next to nothing a second end in an error that says so', async () => {
    const { calls, receiveRows } = collector();
    const gateway = await runGateway({ receiveRows, uploadWindowMs: 500, unreadBodyTimeoutMs: 40 });
    const socket = connect(gateway.port, '127.0.0.1').on('error', () => {});
    socket.write(
      `POST ${target} HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\nContent-Length: 100000\r\n\r\n{"id":`,
    );
    const drip = setInterval(() => socket.write(' '), 100);
    const answer = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(`${data}`)));
    clearInterval(drip);
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*less than 1000 bytes a second for 0\.5 s/s);
    expect(calls).toEqual([]);
  });

  test('may come as slowly as they like by a key that may pause', async () => {
    const { calls, receiveRows } = collector();
    const access = keyAccess([
      { name: 'import', secret: 'key', redact: false, scopes: everyScope, mayPause: true },
    ]);
    const gateway = await runGateway({ receiveRows, access, uploadWindowMs: 1, unreadBodyTimeoutMs: 40 });
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(`POST ${target} HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\nContent-Length: 2\r\n\r\n{`);
    await pause(50);
    socket.write('}');
    expect(`${(await once(socket, 'data'))[0]}`).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
    expect(calls.map(({ body }) => body)).toEqual(['{}']);
  });

  test('that exceed the upload timeout fail with an error that says so, whatever is slow', async () => {
    const { calls, receiveRows } = collector();
    const gateway = await runGateway({ receiveRows, uploadTimeoutMs: 40, unreadBodyTimeoutMs: 40 });
    const head = `POST ${target} HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\nContent-Length: 100\r\n\r\n`;
    const answer = await sendRaw(gateway.port, head, '{"id":');
    expect(answer).toMatch(/^HTTP\/1\.1 504 .*longer than 40 ms\. Nothing was imported/s);
    expect(calls).toEqual([]);
    expect(gateway.log.lines).toEqual([]);
  });

  test('are acknowledged when they are committed although the time is up', async () => {
    const receiveRows: ReceiveRows = async (_source, _body, { signal }) => {
      await once(signal, 'abort');
      return received;
    };
    const gateway = await runGateway({ receiveRows, uploadTimeoutMs: 40 });
    const reply = await gateway.call(target, { method: 'POST', body: '{}' });
    expect([reply.status, JSON.parse(reply.body)]).toEqual([200, received]);
  });
});
