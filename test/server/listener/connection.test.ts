import { spawnSync } from 'node:child_process';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { fakeExecutor, noRows, runGateway, sendRaw } from './running-gateway.ts';

const path = '/api/endpoints/query/logs.all';
const good = `GET ${path}?project=a HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\n`;

function statuses(received: string): string[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1] ?? '');
}

/** How many of a thousand connections a client has, when it has them all or gives the others up. */
const openThousand = `
  const [port] = process.argv.slice(1);
  let open = 0;
  const end = () => { console.log(open); process.exit(); };
  const opened = () => { if (++open === 1000) end(); };
  for (let i = 0; i < 1000; i++) require('node:net').connect(port, '127.0.0.1', opened).on('error', () => {});
  setTimeout(end, 20_000);
`;

test.runIf(process.platform === 'linux')(
  'a burst of connections is queued while the event loop is busy',
  async () => {
    const { port } = await runGateway();
    const { stdout } = spawnSync(process.execPath, ['-e', openThousand, String(port)], { encoding: 'utf8' });
    expect(Number(stdout)).toBe(1000);
  },
);

describe('a connection', () => {
  test('can be used again after every kind of failure, whether the body was read or not', async () => {
    const gateway = await runGateway();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    const send = (method: string, target: string, headers: Record<string, string>, body: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const call = request({ agent, port: gateway.port, method, path: target, headers }, (response) => {
          ports.add(call.socket?.localPort);
          response.resume().on('end', () => resolve(response.statusCode));
        });
        call.on('error', reject).end(body);
      });
    const key = { 'X-API-KEY': 'key' };
    const json = { ...key, 'Content-Type': 'application/json' };
    const large = ' '.repeat(3_000_000);

    expect(await send('POST', path, {}, large)).toBe(401);
    expect(await send('POST', '/nope', key, large)).toBe(404);
    expect(await send('POST', '/api/endpoints/query/unknown', json, large)).toBe(404);
    expect(await send('PUT', path, key, large)).toBe(405);
    expect(await send('POST', path, { ...key, 'Content-Type': 'text/plain' }, large)).toBe(415);
    expect(await send('POST', path, { ...json, 'Content-Encoding': 'zstd' }, large)).toBe(415);
    expect(await send('POST', path, { ...json, 'Transfer-Encoding': 'chunked' }, `{${large}`)).toBe(400);
    expect(
      await send('POST', path, { ...key, 'Content-Type': 'application/x-www-form-urlencoded' }, large),
    ).toBe(413);
    expect(await send('GET', '/readyz', { 'Content-Length': '3000000' }, large)).toBe(200);
    expect(await send('POST', '/api/sources/x/rows', {}, large)).toBe(401);
    expect(await send('GET', `${path}?project=a`, key, '')).toBe(200);
    expect(ports.size).toBe(1);
    agent.destroy();
  });

  test('is reused after a body that nobody read, on many connections at the same time', async () => {
    const gateway = await runGateway();
    const agent = new Agent({ keepAlive: true, maxSockets: 30 });
    const ports = new Set<number | undefined>();
    const send = () =>
      new Promise<number | undefined>((resolve, reject) => {
        const upload = request(
          { port: gateway.port, host: '127.0.0.1', path: '/api/sources/x/rows', method: 'POST', agent },
          (response) => void response.resume().once('end', () => resolve(response.statusCode)),
        );
        upload.once('socket', (socket) => socket.once('connect', () => ports.add(socket.localPort)));
        upload.once('error', reject).end('x'.repeat(3_000_000));
      });
    for (let round = 0; round < 2; round++)
      expect(new Set(await Promise.all(Array.from({ length: 30 }, send)))).toEqual(new Set([401]));
    expect(ports.size).toBe(30);
    agent.destroy();
  });

  test('that requests a tunnel is answered and closed, whatever its client does', async () => {
    const gateway = await runGateway({ unreadBodyTimeoutMs: 50 });
    const tunnel = `CONNECT other:1 HTTP/1.1\r\nHost: other\r\n\r\n`;
    // Its resets are errors of a connection that Node has let go of.
    for (let round = 0; round < 20; round++) {
      await new Promise<void>((resolve, reject) => {
        const socket = connect(gateway.port, '127.0.0.1').once('error', reject);
        const reset = () => socket.resetAndDestroy();
        socket.once('close', () => resolve()).write(tunnel, () => (round % 2 === 0 ? reset() : undefined));
        if (round % 2 === 1) socket.once('data', reset);
      });
    }
    const patient = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    const sending = setInterval(() => patient.write('x'), 5);
    const received = await new Promise<string>((resolve) => {
      let text = '';
      patient
        .on('data', (piece) => {
          text += piece;
        })
        .on('error', () => {})
        .once('close', () => resolve(text))
        .write(tunnel);
    });
    clearInterval(sending);
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect((await gateway.call('/readyz')).status).toBe(200);
  });

  test('answers pipelined requests in their order', async () => {
    const gateway = await runGateway();
    const received = await sendRaw(
      gateway.port,
      `${good}\r\n`,
      `GET /nope HTTP/1.1\r\nHost: x\r\n\r\n`,
      `${good}Connection: close\r\n\r\n`,
    );
    expect(statuses(received)).toEqual(['200', '404', '200']);
  });

  test('is given leave to send a body only when it will be read', async () => {
    const gateway = await runGateway();
    const expecting = (key: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\n` +
      'Expect: 100-continue\r\nConnection: close\r\nContent-Length: 15\r\n\r\n';
    expect(statuses(await sendRaw(gateway.port, expecting('key'), '{"project":"b"}'))).toEqual([
      '100',
      '200',
    ]);
    expect(statuses(await sendRaw(gateway.port, expecting('no')))).toEqual(['401']);
  });

  test.each([
    ['431', 'headers that are too large', `${good}X-Large: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['400', 'what is no HTTP', 'hello\r\n\r\n'],
    ['400', 'two lengths', `${good}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    ['400', 'a length and chunks', `${good}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['400', 'a header with a control character', `${good}X-Bad: a\u0000b\r\n\r\n`],
    [
      '400',
      'a body with broken chunks',
      `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\nContent-Type: application/json\r\n` +
        'Transfer-Encoding: chunked\r\n\r\nzz\r\n',
    ],
  ])('is answered %s in JSON, and closed, after %s', async (status, _, text) => {
    const gateway = await runGateway();
    const received = await sendRaw(gateway.port, text);
    expect(statuses(received)).toEqual([status]);
    expect(received).toMatch(/\r\n\r\n\{"error":"[^"]+","code":"[A-Z_]+"\}$/);
    expect(received).toContain('\r\nContent-Type: application/json; charset=utf-8\r\n');
    expect((await gateway.call('/readyz')).status).toBe(200);
    expect(gateway.log.lines).toEqual([]);
  });

  test('has no body where a HEAD is answered', async () => {
    const gateway = await runGateway();
    const received = await sendRaw(gateway.port, `HEAD ${path} HTTP/1.1\r\nHost: x\r\nno header\r\n\r\n`);
    expect(received).toMatch(/^HTTP\/1\.1 400 .*\r\nContent-Length: [1-9]\d*\r\n.*\r\n\r\n$/s);
  });

  test('that turns into nonsense is closed without an answer that an earlier request could be given', async () => {
    const executor = fakeExecutor(() => new Promise((resolve) => setTimeout(() => resolve(noRows), 50)));
    const gateway = await runGateway({ executor });
    expect(statuses(await sendRaw(gateway.port, `${good}\r\nnonsense\r\n\r\n`))).toEqual([]);
  });

  test('gets words for what node:http would answer without any', async () => {
    const { port } = await runGateway();
    const close = 'Connection: close\r\n\r\n';
    expect(await sendRaw(port, `GET ${path} HTTP/1.1\r\nX-API-KEY: key\r\n${close}`)).toMatch(
      /^HTTP\/1\.1 400 .*\{"error":"The request has no Host header\.","code":"BAD_USER_INPUT"\}$/s,
    );
    // RFC 9112, section 3.2: proxies in front could go by another one.
    expect(await sendRaw(port, `${good}hOST: other\r\n${close}`)).toMatch(
      /^HTTP\/1\.1 400 .*\{"error":"The request has more than one Host header\.","code":"BAD_USER_INPUT"\}$/s,
    );
    expect(statuses(await sendRaw(port, `GET ${path}?project=a HTTP/1.0\r\nX-API-KEY: key\r\n\r\n`))).toEqual(
      ['200'],
    );
    expect(statuses(await sendRaw(port, `${good}Expect: the-unexpected\r\n${close}`))).toEqual(['200']);
  });

  test('is cut when the rest of a body that nobody reads does not come', async () => {
    const gateway = await runGateway({ unreadBodyTimeoutMs: 50 });
    const received = await sendRaw(
      gateway.port,
      'POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc',
    );
    expect(statuses(received)).toEqual(['404']);
  });
});

describe('a request that runs', () => {
  test('times out, even if the engine ignores the abort', async () => {
    const executor = fakeExecutor(() => new Promise(() => {}));
    const gateway = await runGateway({ executor, requestTimeoutMs: 40 });
    const reply = await gateway.call(`${path}?project=a`);
    expect(reply).toMatchObject({
      status: 504,
      body: '{"error":"The request timed out after 40 ms.","code":"QUERY_TIMEOUT"}',
    });
    expect(executor.runs[0]?.signal.aborted).toBe(true);
  });

  test('times out when its body does not arrive in time', async () => {
    const gateway = await runGateway({ requestTimeoutMs: 40, unreadBodyTimeoutMs: 40 });
    const slow =
      `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\nContent-Type: application/json\r\n` +
      'Content-Length: 100\r\n\r\n{';
    expect(statuses(await sendRaw(gateway.port, slow))).toEqual(['504']);
  });

  test('ends when its caller leaves, without a word in the log', async () => {
    const reason = Promise.withResolvers<unknown>();
    const started = Promise.withResolvers<void>();
    const executor = fakeExecutor((_call, { signal }) => {
      started.resolve();
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reason.resolve(signal.reason);
          reject(signal.reason);
        });
      });
    });
    const gateway = await runGateway({ executor });
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(`${good}\r\n`);
    await started.promise;
    socket.destroy();
    expect(await reason.promise).toMatchObject({ name: 'ClientGone' });
    expect(gateway.log.lines).toEqual([]);
  });

  test('whose caller leaves in the middle of the body is forgotten', async () => {
    const gateway = await runGateway();
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    );
    await new Promise((resolve) => setTimeout(resolve, 30));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(gateway.log.lines).toEqual([]);
    expect((await gateway.call('/readyz')).status).toBe(200);
  });
});
