import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Gateway } from './support/gateway.ts';
import { eventually } from './support/processes.ts';
import { Workspace } from './support/workspace.ts';

/** What a client can ask for as large as it wants. */
const endpoint = `/*
id: 0b2a3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5f
name: big
description: Rows of any size.
maxRows: 1000
cacheSeconds: 600
sandbox: true
parameters:
  rows: {type: INT64, required: true, example: 2}
  tag: {required: true, example: a}
*/
WITH made AS (
  SELECT CONCAT(@tag, REPEAT('x', 100000), CAST(i AS STRING)) AS text FROM UNNEST(GENERATE_ARRAY(1, @rows)) AS i
)
SELECT text FROM made
`;

/**
 * How much more memory the process may take than the budgets have in use: rows that are being made into one response, V8's
 * garbage, and what it keeps for later.
 */
const [factor, slackMb] = [3, 500];

const settings = { CACHE_MEMORY_MB: '64', ANSWER_MEMORY_MB: '400', LIVE_MEMORY_MB: '32' };
const sockets: Socket[] = [];
let workspace: Workspace;

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  await workspace.write('endpoints/big.sql', endpoint);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => workspace?.remove());

/** Sends a request, and reads its answer or doesn't. */
function send(gateway: Gateway, key: string, head: string, reads: boolean): { text: string } {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  const received = { text: '' };
  socket.on('data', (data) => {
    received.text = (received.text + data.toString('latin1')).slice(-100);
  });
  if (!reads) socket.pause();
  socket.write(`${head} HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${key}\r\n`);
  return received;
}

async function budgets(gateway: Gateway): Promise<ReadonlyMap<string, { used: number; max: number }>> {
  const { body } = await gateway.call('/metrics');
  const numbers = (name: string) =>
    [...body.matchAll(new RegExp(`^${name}\\{budget="(\\w+)"\\} (\\S+)$`, 'gm'))].map(
      ([, budget = '', value]) => [budget, Number(value)] as const,
    );
  const max = new Map(numbers('gateway_memory_max_bytes'));
  return new Map(
    numbers('gateway_memory_used_bytes').map(([name, used]) => [name, { used, max: max.get(name) ?? 0 }]),
  );
}

async function residentMb(pid: number): Promise<number> {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1000;
}

test('the process takes what its budgets say, whatever a key asks for, and others are answered', {
  timeout: 300_000,
}, async () => {
  const gateway = await Gateway.serve(workspace, settings);
  const pid = gateway.command.pid;
  const flooding = await gateway.createKey({ name: 'flooding', scopes: ['query', 'write'] });
  const other = await gateway.createKey({ name: 'other', scopes: ['query', 'write'] });
  await gateway.query('big', { rows: '1', tag: 'first' });
  const idleMb = await residentMb(pid);
  const query = (tag: string, more = '') => `GET /api/endpoints/query/big?rows=300&tag=${tag}${more}`;
  const quiet: { text: string }[] = [];
  let highestMb = 0;
  for (let round = 0; round < 30; round++) {
    // Answers that nobody reads, quiet streams, tails' and results' rows, and bodies that don't end.
    send(gateway, flooding, `${query(`unread-${round}`)}`, false);
    sockets.at(-1)?.write('\r\n');
    quiet.push(send(gateway, flooding, query(`live-${round}`, '&live=3600'), true));
    sockets.at(-1)?.write('Accept: text/event-stream\r\n\r\n');
    send(gateway, flooding, 'POST /api/logs?source=edge_logs', true);
    sockets.at(-1)?.write('Content-Length: 31000000\r\nContent-Type: application/json\r\n\r\n');
    sockets.at(-1)?.write(Buffer.alloc(5_000_000, ' '));
    const answered = await gateway.query('big', { rows: '10', tag: `other-${round}` }, { key: other });
    expect(answered.status).toBe(200);
    const posted = { method: 'POST', key: other, body: JSON.stringify([{ message: `${round}` }]) };
    expect((await gateway.call('/api/logs?source=edge_logs', posted)).status).toBe(200);
    const state = await budgets(gateway);
    let used = 0;
    for (const [, each] of state) {
      expect(each.used).toBeLessThanOrEqual(1.5 * each.max);
      used += each.used;
    }
    const grownMb = (await residentMb(pid)) - idleMb;
    expect(grownMb).toBeLessThan((factor * used) / 1e6 + slackMb);
    highestMb = Math.max(highestMb, grownMb);
  }
  expect(quiet.filter(({ text }) => text.includes('x')).length).toBeGreaterThan(10);
  for (const socket of sockets.splice(0)) socket.destroy();
  await eventually('nothing of it is kept but cached results and plans', async () => {
    const state = await budgets(gateway);
    return ['answers', 'bodies', 'events', 'live'].every((name) => state.get(name)?.used === 0);
  });
  expect(await gateway.stop()).toMatchObject({ code: 0 });
});
