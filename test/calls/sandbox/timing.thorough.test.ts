import { afterAll, beforeAll, expect, test } from 'vitest';
import { marker, openWorld, type World } from './support/world.ts';

/**
 * Time tells nothing of other projects' rows: a query that is slow where its guess of a text is right takes as long for right guesses
 * as for wrong ones, while for the caller's own rows it takes many times as long. The shortest of several runs in turn are compared.
 */

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

const needles = Array.from({ length: 300 }, (_, i) => `strpos(s, '${'a'.repeat(90)}b${i}') > 0`).join(' or ');

/** Takes some ten milliseconds for each row that the guess matches. */
function costly(source: string, guess: string): string {
  const long = 'a'.repeat(90_000);
  return `select count(*) as n from (select if(event_message like '${guess}%', '${long}', '') as s from ${source}) where ${needles}`;
}

/** Processor time of this process, DuckDB's threads included: other work on the machine is not in it. */
async function microseconds(sql: string): Promise<number> {
  const start = process.cpuUsage();
  await world.ask(sql);
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** How many times as long a right guess takes. */
async function ratio(source: string, right: string, wrong: string): Promise<number> {
  const times = { right: [] as number[], wrong: [] as number[] };
  for (let run = 0; run < 5; run++) {
    times.right.push(await microseconds(costly(source, right)));
    times.wrong.push(await microseconds(costly(source, wrong)));
  }
  return Math.min(...times.right) / Math.min(...times.wrong);
}

test.each(['function_logs', 'storage_logs', 'edge_logs'])(
  'guesses of texts of others in %s',
  async (source) => {
    expect(await ratio(source, 'own 2', 'own 9')).toBeGreaterThan(2);
    expect(await ratio(source, `${marker} 3`, `${marker} 9`)).toBeLessThan(1.5);
  },
  60_000,
);
