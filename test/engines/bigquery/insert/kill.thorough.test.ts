import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { effort } from '../../../support/effort.ts';
import { cells, rest } from '../../../tools/emulators/bigquery/support/rest.ts';
import { serveRows } from '../../../tools/emulators/bigquery/support/served-rows.ts';

const script = path.join(import.meta.dirname, 'support/insert-batches.ts');
const batches = 6 * effort;

test('rows of a gateway that is killed at any moment are in the table once, all that it acknowledged', async () => {
  await using rows = await serveRows({ edge: { columns: [], rows: [] } });
  const { server } = rows;
  const sent = () => server.requests.filter(({ path }) => path.endsWith('/insertAll')).length;
  const count = async (distinct: string) =>
    Number(cells(await rest(server).query(`SELECT COUNT(${distinct}) FROM logs_eu.edge`))[0]?.[0]);

  let acknowledged = 0;
  let kills = 0;
  while (acknowledged < batches) {
    server.clearFaults();
    // The second batch of each process gets no answer: before its rows are there, or afterwards.
    const hang = kills % 2 === 0 ? 'after' : 'before';
    server.fail({ path: '/insertAll$', skip: 1, hang, times: 1 });
    const before = sent();
    const child = spawn(process.execPath, [script, server.url, String(acknowledged), String(batches)], {
      env: {
        PATH: process.env.PATH,
        HOME: '/nonexistent',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    const reading = (async () => {
      for await (const line of createInterface({ input: child.stdout })) acknowledged = Number(line) + 1;
    })();
    await Promise.race([ended, expect.poll(sent, { timeout: 30_000 }).toBe(before + 2)]);
    if (hang === 'after') await expect.poll(() => count('*'), { timeout: 30_000 }).toBe(10 * sentBatches());
    child.kill('SIGKILL');
    await Promise.all([ended, reading]);
    kills += 1;
    expect(await count('DISTINCT LEFT(id, 5)')).toBe(await count('*'));
    expect(await count('*')).toBeGreaterThanOrEqual(10 * acknowledged);
  }

  function sentBatches(): number {
    return Math.min(batches, acknowledged + 1);
  }

  expect(kills).toBeGreaterThan(batches / 2);
  expect(await count('*')).toBe(10 * batches);
});
