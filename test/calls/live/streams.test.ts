import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { type Access, keyAccess, presentedKey } from '../../../src/calls/access/authentication/access.ts';
import type { Caller } from '../../../src/calls/access/caller/caller.ts';
import { everyScope } from '../../../src/calls/access/caller/caller.ts';
import { SigningKeys } from '../../../src/calls/access/token/signing-keys.ts';
import { TokenVerifier } from '../../../src/calls/access/token/token-verifier.ts';
import type { LiveMeter } from '../../../src/calls/live/live-meter.ts';
import { LiveResults } from '../../../src/calls/live/live-results.ts';
import { LiveTails } from '../../../src/calls/live/live-tails.ts';
import { endpointCatalog } from '../../../src/definitions/endpoints/endpoint-catalog.ts';
import { memoryBudgets } from '../../../src/definitions/settings/memory-budgets.ts';
import { createGatewayServer } from '../../../src/server/listener/gateway.ts';
import { newPlan } from '../../../src/sql/plan/plan.ts';
import { fakeLog } from '../../server/listener/running-gateway.ts';
import { gatewayParts } from '../../support/gateway-parts.ts';
import { portOf } from '../../support/redis.ts';
import { endpointWith } from '../executor/support/endpoint.ts';
import { away, LiveBench } from './support.ts';

const scan = { resolved_table_scan_node: { table: { full_name: 'logs.edge_logs' } } };
const columns = [{ name: 'n', type: { kind: 'STRING' } }] as const;
const plan = newPlan({ isCallers: false, sql: '', statement: scan, columns, parameters: new Map() });
const endpoint = endpointWith({ parameters: [], plan });

/** A gateway whose clock and answers are the test's. By default, it has the keys `a` and `b`. */
async function streaming(settings: Record<string, string> = {}, access?: Access, bench = new LiveBench()) {
  bench.columns = columns;
  let run = 0;
  bench.answer = () => [[`run ${++run}`]];
  const callerOf = (name: string): Caller => ({ name, redact: false, scopes: everyScope });
  const keys = new Map(['a', 'b'].map((name) => [name, callerOf(name)]));
  const counted: string[] = [];
  const meter: LiveMeter = {
    opened: () => counted.push('opened'),
    ended: (cause) => counted.push(cause),
    sent: () => counted.push('sent'),
    skipped: () => {},
    queries: () => {},
  };
  const parts = {
    ...{ ...bench.parts, changes: bench.changes, makeId: () => 'id' },
    adHocQueries: { known: () => undefined, plan: () => Promise.reject(new Error('there are no tails')) },
  };
  const none = () => {};
  const server = createGatewayServer(
    gatewayParts({
      access: access ?? {
        authenticate(headers) {
          const name = presentedKey(headers);
          const [key = '', subject] = name?.split('/') ?? [];
          const caller = keys.get(key);
          if (caller === undefined || name === undefined || subject === undefined) return caller;
          return { ...caller, name, isToken: true, issuer: caller };
        },
        isValid: (caller) => keys.get((caller.issuer ?? caller).name) === (caller.issuer ?? caller),
      },
      endpoints: endpointCatalog([endpoint]),
      executor: {
        ...bench.parts.executor,
        estimate: () => Promise.reject(away),
        profile: () => Promise.reject(away),
        stream: () => Promise.reject(away),
      },
      clock: bench.clock,
      live: { results: new LiveResults(parts), tails: new LiveTails(parts) },
      metrics: {
        executor: {
          engineRun: none,
          cacheRequest: none,
          collapsed: none,
          allowanceSpent: none,
          warmRun: none,
        },
        requests: { request: none, failed: none, deprecated: none },
        events: { rows: none, rejected: none, committed: none, lag: none },
        live: meter,
        records: () => none,
        text: async () => '',
        contentType: '',
        numbers: async () => new Map(),
      },
      shape: { endpoints: [] },
      receiveRows: () => Promise.reject(away),
      log: fakeLog(),
      stopTimeoutMs: 1000,
      config: readConfig(settings),
    }),
  );
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());

  /** Watches, and keeps what comes. */
  function watch(key = 'a') {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    onTestFinished(() => void socket.destroy());
    const watcher = { socket, text: '', isClosed: false };
    socket.on('data', (piece: string) => {
      watcher.text += piece;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      watcher.isClosed = true;
    });
    const headers = `Host: a\r\nX-API-KEY: ${key}\r\nAccept: text/event-stream\r\n`;
    socket.write(`GET /api/endpoints/query/${endpoint.name} HTTP/1.1\r\n${headers}\r\n`);
    return watcher;
  }

  async function change(): Promise<void> {
    bench.changes.tell([{ source: 'edge_logs' }]);
    await bench.clock.advance(5000);
  }

  return { bench, keys, counted, server, watch, change };
}

const until = (what: () => unknown) => vi.waitUntil(what, { timeout: 10_000, interval: 5 });

test('a stream begins with the time after which to connect again, and shows now and then that it lives', async () => {
  const { bench, watch } = await streaming();
  const watcher = watch();
  await until(() => watcher.text.includes('run 1'));
  expect(watcher.text).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Type: text\/event-stream; charset=utf-8\r\n/);
  expect(watcher.text).toMatch(/\nretry: 1\d{3}\n\n/);
  await bench.clock.advance(15_000);
  await until(() => watcher.text.includes('\n:\n\n'));
});

test('after an error, the next result comes even if it is the same', async () => {
  const { bench, watch, change } = await streaming();
  bench.answer = () => [['same']];
  const watcher = watch();
  await until(() => watcher.text.includes('same'));
  bench.answer = () => Promise.reject(away);
  await change();
  await until(() => watcher.text.includes('event: error'));
  bench.answer = () => [['same']];
  await change();
  await until(() => watcher.text.split('same').length === 3);
});

test('a key that is not valid any more ends its streams', async () => {
  const { bench, keys, counted, watch } = await streaming();
  const [revoked, other] = [watch('a'), watch('b')];
  await until(() => revoked.text.includes('run') && other.text.includes('run'));
  keys.delete('a');
  await bench.clock.advance(1000);
  await until(() => revoked.text.includes('0\r\n\r\n'));
  expect(revoked.text).toContain('"code":"UNAUTHENTICATED","final":true');
  expect(other.isClosed).toBe(false);
  expect(counted).toContain('key');
});

test('a key that allows something else ends its streams, and says why', async () => {
  const { bench, keys, watch } = await streaming();
  const watcher = watch('a');
  await until(() => watcher.text.includes('run'));
  keys.set('a', { name: 'a', redact: true, scopes: everyScope });
  await bench.clock.advance(1000);
  await until(() => watcher.text.includes('0\r\n\r\n'));
  expect(watcher.text).toContain('or allows something else now');
  expect(watcher.text).toContain('"code":"UNAUTHENTICATED","final":true');
});

test('a token ends its streams when its signing key leaves the key set, and when it expires', async () => {
  const bench = new LiveBench();
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  let keys: JWK[] = [await exportJWK(publicKey)];
  const issuer = createServer((_, response) => response.end(JSON.stringify({ keys }))).listen(0, '127.0.0.1');
  await once(issuer, 'listening');
  const place = `http://127.0.0.1:${portOf(issuer)}/jwks.json`;
  const signingKeys = await SigningKeys.open({ place, clock: bench.clock, log: fakeLog() });
  onTestFinished(async () => {
    await signingKeys.close();
    issuer.close();
    issuer.closeAllConnections();
  });
  const { clock } = bench;
  const secret = 'a secret of more than thirty-two characters';
  const settings = { secret, issuer: undefined, audience: 'a', maxLifetimeSeconds: 86_400 };
  const frontend = { caller: { name: 'frontend', redact: false, scopes: everyScope } };
  const tokens = new TokenVerifier({
    memory: memoryBudgets().tokens,
    settings,
    signingKeys,
    clock,
    issuerKey: () => frontend,
  });
  const { watch } = await streaming({}, keyAccess([], { tokens }), bench);
  const token = (alg: string, seconds: number) =>
    new SignJWT({ sub: alg })
      .setProtectedHeader({ alg })
      .setAudience('a')
      .setExpirationTime(clock.now() / 1000 + seconds)
      .sign(alg === 'HS256' ? new TextEncoder().encode(secret) : privateKey);
  const removed = watch(await token('ES256', 3600));
  const expiring = watch(await token('HS256', 60));
  await until(() => [removed, expiring].every(({ text }) => text.includes('run')));
  keys = [];
  await clock.advance(50_000);
  // The key set comes over the network.
  await until(async () => {
    await clock.advance(500);
    return removed.text.includes('0\r\n\r\n');
  });
  expect(removed.text).toContain('"code":"UNAUTHENTICATED","final":true');
  expect(expiring.text).not.toContain('UNAUTHENTICATED');
  await clock.advance(45_000);
  await until(() => expiring.text.includes('0\r\n\r\n'));
  expect(expiring.text).toContain('"code":"UNAUTHENTICATED","final":true');
});

test('more streams than allowed are refused, of one key and in all', async () => {
  const { watch, counted } = await streaming({ LIVE_MAX_STREAMS: '3', LIVE_MAX_STREAMS_PER_KEY: '2' });
  const first = [watch('a'), watch('a')];
  await until(() => first.every(({ text }) => text.includes('run')));
  const third = watch('a');
  await until(() => third.text.includes('429 Too Many Requests'));
  const other = watch('b');
  await until(() => other.text.includes('run'));
  const fifth = watch('b');
  await until(() => fifth.text.includes('503 Service Unavailable'));
  first[0]?.socket.destroy();
  await until(() => counted.includes('client'));
  const again = watch('a');
  await until(() => again.text.includes('run'));
});

test('the newest stream of the key or subject with most ends for one that has fewer', async () => {
  const { watch, counted } = await streaming({ LIVE_MAX_STREAMS: '4', LIVE_MAX_STREAMS_PER_KEY: '3' });
  const open = async (key: string) => {
    const watcher = watch(key);
    await until(() => watcher.text.includes('run'));
    return watcher;
  };
  const ended = '"code":"RATE_LIMITED","final":true';
  const ofX = [await open('a/x'), await open('a/x'), await open('a/x')];
  await open('a/y');
  await until(() => ofX[2]?.text.includes(ended));
  expect(counted).toContain('error');
  await open('b');
  await open('b');
  await until(() => ofX[1]?.text.includes(ended));
  expect(ofX[0]?.text).not.toContain(ended);
});

test('streams end when the gateway stops, without an error, and further ones are refused', async () => {
  const { server, counted, watch } = await streaming();
  const watcher = watch();
  await until(() => watcher.text.includes('run'));
  const closed = server.close();
  await until(() => watcher.isClosed);
  await closed;
  expect(watcher.text.endsWith('0\r\n\r\n')).toBe(true);
  expect(watcher.text).not.toContain('event: error');
  expect(counted).toEqual(['opened', 'sent', 'stop']);
});

test('a client that does not read holds one event, and is closed in time; at once when its key is not valid any more', async () => {
  const { bench, keys, counted, watch, change } = await streaming();
  const big = 'x'.repeat(8_000_000);
  let run = 0;
  bench.answer = () => [[`${++run}${big}`]];
  const [stalled, revoked, healthy] = [watch('a'), watch('b'), watch('a')];
  await until(() => healthy.text.includes('xx') && stalled.text !== '' && revoked.text !== '');
  for (const { socket } of [stalled, revoked]) socket.pause();
  for (let round = 0; round < 8; round++) {
    const before = run;
    await change();
    await until(() => run > before && healthy.text.includes(`"${run}xx`));
    healthy.text = '';
  }
  // The system's buffers take a part of it.
  expect(counted.filter((each) => each === 'sent').length).toBeLessThan(9 + 2 * 4);
  keys.delete('b');
  await bench.clock.advance(1000);
  await until(() => counted.includes('key'));
  expect(counted).not.toContain('slow');
  await bench.clock.advance(60_000);
  await until(() => counted.includes('slow'));
  stalled.socket.resume();
  if (!stalled.isClosed) await once(stalled.socket, 'close');
  await change();
  await until(() => healthy.text.includes('xx'));
});
