import { readFile } from 'node:fs/promises';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Gateway } from './support/gateway.ts';
import { eventually } from './support/processes.ts';
import { Workspace } from './support/workspace.ts';

let workspace: Workspace;
let gateway: Gateway;

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  gateway = await Gateway.serve(workspace, { LIVE_MAX_QUERIES: '40' });
});
afterAll(() => workspace?.remove());

/** Watches a tail, and keeps the messages of its rows. */
class Tail {
  readonly messages: string[] = [];
  status = 0;
  /** What came, but for rows. */
  text = '';
  readonly #request: ClientRequest;
  #response: IncomingMessage | undefined;
  #rest = '';

  constructor(project: string, more: Readonly<Record<string, string>> = {}) {
    const query = new URLSearchParams({ project, tail: 'edge_logs', tail_rows: '0', ...more });
    const headers = { 'X-API-KEY': 'a-key', Accept: 'text/event-stream' };
    const url = `${gateway.url}/api/endpoints/query/logs.all?${query}`;
    this.#request = get(url, { headers, agent: false }, (response) => {
      this.#response = response.setEncoding('utf8');
      this.status = response.statusCode ?? 0;
      response.on('data', (piece: string) => this.#take(piece));
      response.on('error', () => {});
    });
    this.#request.on('error', () => {});
    onTestFinished(() => this.leave());
  }

  #take(piece: string): void {
    const lines = `${this.#rest}${piece}`.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data: {"result":')) {
        const { result } = JSON.parse(line.slice(6)) as { result: { event_message: string }[] };
        this.messages.push(...result.map((row) => row.event_message));
      } else this.text += `${line}\n`;
    }
  }

  get hasBegun(): boolean {
    return this.text.includes('event: rows');
  }

  pause(): void {
    this.#response?.pause();
  }

  resume(): void {
    this.#response?.resume();
  }

  leave(): void {
    this.#request.destroy();
  }
}

async function commit(project: string, messages: readonly string[]): Promise<void> {
  const body = JSON.stringify(
    messages.map((message) => ({ project, event_message: message, timestamp: new Date().toISOString() })),
  );
  const headers = { 'Content-Type': 'application/json' };
  const { status } = await gateway.call('/api/logs?source=edge_logs', { method: 'POST', headers, body });
  expect(status).toBe(200);
}

/** The gateway's resident memory, in bytes. */
async function memory(): Promise<number> {
  const { body } = await gateway.call('/metrics');
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(body)?.[1]);
}

async function metric(name: string): Promise<number> {
  const { body } = await gateway.call('/metrics');
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1] ?? 0);
}

test('200 who watch four tails get every row once and in order, among those who come, go, and do not read', async () => {
  const projects = ['p0', 'p1', 'p2', 'p3'];
  const tails = projects.map((project) => Array.from({ length: 50 }, () => new Tail(project)));
  const stalled = projects.map((project) => new Tail(project));
  await eventually('all have begun', () => [...tails.flat(), ...stalled].every(({ hasBegun }) => hasBegun));
  for (const tail of stalled) tail.pause();
  const sent = projects.map((): string[] => []);
  const padding = 'x'.repeat(2000);
  for (let round = 0; round < 8; round++) {
    const passing = projects.map((project) => new Tail(project));
    await Promise.all(
      projects.map(async (project, at) => {
        const messages = [0, 1, 2].map((row) => `${project} ${round} ${row} ${padding}`);
        sent[at]?.push(...messages);
        // One request at a time: rows that arrive together come in the order of their time.
        for (const message of messages) await commit(project, [message]);
      }),
    );
    for (const tail of passing) tail.leave();
  }
  await eventually('all rows', () =>
    tails.every((watching, at) =>
      watching.every(({ messages }) => messages.length >= (sent[at]?.length ?? 0)),
    ),
  );
  for (const [at, watching] of tails.entries())
    for (const { messages } of watching) expect(messages).toEqual(sent[at]);
  expect(await metric('gateway_live_streams')).toBeLessThanOrEqual(204);
});

test('who stalls is skipped forward, and memory stays flat', async () => {
  const [stalled, healthy] = [new Tail('big'), new Tail('big')];
  await eventually('both have begun', () => stalled.hasBegun && healthy.hasBegun);
  stalled.pause();
  const text = 'x'.repeat(200_000);
  const before = await memory();
  for (let round = 0; round < 8; round++) {
    await commit(
      'big',
      Array.from({ length: 20 }, (_, row) => `${round}-${row}-${text}`),
    );
    await eventually('the healthy one has them', () => healthy.messages.length >= (round + 1) * 20);
  }
  expect((await memory()) - before).toBeLessThan(300_000_000);
  stalled.resume();
  await eventually('it goes on', () => stalled.messages.at(-1)?.startsWith('7-19-') === true);
  expect(stalled.messages.length).toBeLessThan(160);
  expect(await metric('gateway_live_skips_total')).toBeGreaterThan(0);
});

test('many different filters are refused beyond the half of all, and their room is free again', async () => {
  const filters = Array.from({ length: 60 }, (_, n) => new Tail('filters', { lql: `word${n}` }));
  await eventually('all are answered', () => filters.every(({ status }) => status !== 0));
  const refused = filters.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(40);
  for (const tail of filters) tail.leave();
  await eventually('nobody watches', async () => (await metric('gateway_live_streams')) === 0);
  const again = new Tail('filters', { lql: 'other' });
  await eventually('it has begun', () => again.hasBegun);
});

test('a storm of clients that come and go leaves nothing behind', async () => {
  for (let round = 0; round < 6; round++) {
    const storm = Array.from({ length: 100 }, (_, n) => new Tail(`p${n % 4}`));
    if (round % 2 === 0) await eventually('some have begun', () => storm.some(({ hasBegun }) => hasBegun));
    for (const tail of storm) tail.leave();
  }
  await eventually('no stream is left', async () => (await metric('gateway_live_streams')) === 0);
  const { body } = await gateway.call('/metrics');
  expect(body).toMatch(/^gateway_live_queries\{kind="tail"\} 0$/m);
});

test('a stream ends when its endpoint has changed, and others go on', async () => {
  const file = workspace.path('endpoints/logs.all.sql');
  const tail = new Tail('reload');
  const target = `${gateway.url}/api/endpoints/query/usage.api-counts?project=reload&interval=hourly`;
  const headers = { 'X-API-KEY': 'a-key', Accept: 'text/event-stream' };
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const other = await fetch(target, { headers, signal: leaving.signal });
  const otherEvents = other.body?.pipeThrough(new TextDecoderStream()).getReader();
  await otherEvents?.read();
  await eventually('it has begun', () => tail.hasBegun);
  await workspace.write('endpoints/logs.all.sql', `${await readFile(file, 'utf8')}\n-- changed`);
  gateway.command.signal('SIGHUP');
  await eventually('it has ended', () => tail.text.includes('event: error'));
  expect(tail.text).toMatch(/BACKEND_UNAVAILABLE.*"final":true/);
  const again = new Tail('reload');
  await eventually('it has begun', () => again.hasBegun);
  const ended = otherEvents?.closed.then(() => 'ended');
  expect(await Promise.race([ended, Promise.resolve('open')])).toBe('open');
});
