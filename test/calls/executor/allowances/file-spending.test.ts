import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FileSpending } from '../../../../src/calls/executor/allowances/file-spending.ts';
import { temporaryFolder } from '../../../engines/duckdb/store/support.ts';
import { ownCount } from '../redis/support/own-count.ts';
import { callerNamed } from '../support/caller.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { setUp } from '../support/setup.ts';

const start = Date.UTC(2026, 0, 31, 13);
const ada = callerNamed('ada', { allow: ['calls=3/month', 'rows=100/day'] });

/** Runs of a gateway, one after the other, in a folder. */
function runs(folder: string) {
  const warnings: string[] = [];
  const file = join(folder, 'data', 'allowances.json');
  const run = async (now = start) => {
    const clock = new ManualClock(now);
    const log = { warn: (message: string) => void warnings.push(message) };
    const spending = await FileSpending.open({ file, clock, log });
    const { engine, ask, executor } = setUp({ clock, spending });
    engine.answer = () => [[1n]];
    return {
      clock,
      ask: () => ask(undefined, undefined, undefined, ada),
      left: () => executor.allowances.rateLimits(ada.spenders).left.replaceAll(/;t=\d+/g, ''),
      async close() {
        await executor.allowances.close();
        await spending.close();
      },
    };
  };
  return { run, file, warnings };
}

it('goes on after a restart', async () => {
  const { run, warnings } = runs(await temporaryFolder());
  const first = await run();
  await first.ask();
  await first.close();
  const second = await run();
  await second.ask();
  expect(second.left()).toBe('"calls-month";r=1, "rows-day";r=98');
  await second.close();
  const third = await run(Date.UTC(2026, 0, 31, 23));
  await third.ask();
  await expect(third.ask()).rejects.toThrow('used 3 of its 3 calls a month');
  await third.close();
  const nextMonth = await run(Date.UTC(2026, 1, 1));
  await nextMonth.ask();
  expect(nextMonth.left()).toBe('"calls-month";r=2, "rows-day";r=99');
  expect(warnings).toEqual([]);
});

it('is written within seconds, without what is over', async () => {
  const { run, file } = runs(await temporaryFolder());
  const gateway = await run();
  await gateway.ask();
  await gateway.clock.advance(6_000);
  const written = () => JSON.parse(readFileSync(file, 'utf8'));
  await expect.poll(written).toEqual({
    form: 1,
    counts: [
      { name: 'rows 2026-01-31 key ada', used: 1, until: '2026-02-01T00:00:00.000Z' },
      { name: 'calls 2026-01 key ada', used: 1, until: '2026-02-01T00:00:00.000Z' },
    ],
  });
  await gateway.clock.advance(86_400_000);
  await gateway.ask();
  await gateway.close();
  expect(written().counts).toMatchObject([
    { name: 'rows 2026-02-01 key ada' },
    { name: 'calls 2026-02 key ada' },
  ]);
});

it('begins at zero with a file that can not be read, and says so', async () => {
  const { run, file, warnings } = runs(await temporaryFolder());
  const first = await run();
  await first.ask();
  await first.close();
  for (const text of ['rubbish', '{"form":2,"counts":[]}', '{"form":1,"counts":[{"name":"a","used":-1}]}']) {
    writeFileSync(file, text);
    const next = await run();
    expect(next.left()).toBe('"calls-month";r=3, "rows-day";r=100');
    await next.ask();
    await next.close();
  }
  expect(warnings).toEqual(Array(3).fill(expect.stringContaining('can not be read')));
});

it('answers when the file can not be written, and warns once', async () => {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'data'), 'a file in the place of the folder');
  const { run, warnings } = runs(folder);
  const gateway = await run();
  await gateway.ask();
  await gateway.clock.advance(6_000);
  await gateway.ask();
  await gateway.close();
  expect(warnings.filter((line) => line.includes('could not be written'))).toHaveLength(1);
});

it('knows of what this run has told, and of what earlier ones have', async () => {
  const { run, file } = runs(await temporaryFolder());
  const first = await run();
  await first.ask();
  await first.close();
  const clock = new ManualClock(start);
  const spending = await FileSpending.open({ file, clock, log: { warn() {} } });
  const calls = (own: number) => ownCount(own, 'key ada', { of: 'calls', per: 'month' });
  expect(await spending.exchange([calls(0)])).toEqual([{ mine: 0, others: 1 }]);
  await spending.exchange([calls(5)]);
  expect(await spending.exchange([calls(0), ownCount(0)])).toEqual([
    { mine: 5, others: 1 },
    { mine: 0, others: 0 },
  ]);
  await spending.close();
});
