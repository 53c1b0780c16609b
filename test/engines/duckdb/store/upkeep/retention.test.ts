import { expect, onTestFinished, test } from 'vitest';
import type { Source } from '../../../../../src/definitions/sources/source.ts';
import { Retention } from '../../../../../src/engines/duckdb/store/upkeep/retention.ts';
import { ManualClock } from '../../../../calls/executor/support/manual-clock.ts';
import { makeSource } from '../support.ts';

const day = 24 * 3_600_000;

/** A clock whose wall time can jump while time goes on as usual. */
class WrongClock extends ManualClock {
  wrongBy = 0;
  override readonly now = () => this.elapsed() + this.wrongBy;
}

/** Retention of 7 days over rows that a test counts. */
function retaining({ sources }: { readonly sources?: readonly Source[] } = {}) {
  const clock = new WrongClock();
  const lines: string[] = [];
  const note = (message: string, fields: object = {}) =>
    void lines.push(`${message} ${JSON.stringify(fields)}`);
  const deletions: { readonly source: string; readonly before: number }[] = [];
  const state = { sources: sources ?? [makeSource('logs')], rows: 0 };
  const retention = new Retention({
    ...{ clock, sources: () => state.sources, defaultDays: 7, log: { info: note, warn: note, error: note } },
    maxFutureSeconds: 86_400,
    deleteFuture: async () => 0,
    async deleteBefore({ name }, before) {
      deletions.push({ source: name, before: Number(before / 1000n) });
      return state.rows;
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(() => retention.close());
  return { clock, lines, deletions, state, retention };
}

test('the log tells of deleted rows: at most once a minute for each source, and the rest at the end', async () => {
  const { clock, lines, state, retention } = retaining({ sources: [makeSource('a'), makeSource('b')] });
  await clock.advance(60_000);
  expect(lines).toEqual([]);
  state.rows = 5;
  await clock.advance(20_000);
  const line = (source: string, rows: number) => `old rows were deleted ${JSON.stringify({ source, rows })}`;
  expect(lines.splice(0)).toEqual([line('a', 5), line('b', 5)]);
  await clock.advance(40_000);
  expect(lines).toEqual([]);
  await clock.advance(20_000);
  expect(lines.splice(0)).toEqual([line('a', 15), line('b', 15)]);
  await clock.advance(20_000);
  await retention.close();
  expect(lines).toEqual([line('a', 5), line('b', 5)]);
});

test('a changed retention is in force at the next look', async () => {
  const { clock, deletions, state } = retaining();
  await clock.advance(20_000);
  state.sources = [{ ...makeSource('logs'), retentionDays: 2 }];
  await clock.advance(20_000);
  const ages = deletions.map(({ before }, i) => clock.now() - (1 - i) * 20_000 - before);
  expect(ages).toEqual([7 * day, 2 * day]);
});

test('a clock that jumps forward and back deletes nothing', async () => {
  const { clock, deletions, lines } = retaining();
  await clock.advance(20_000);
  expect(deletions.splice(0)).toHaveLength(1);
  clock.wrongBy = 365 * day;
  await clock.advance(30 * 60_000);
  expect(lines).toEqual([
    'the clock has jumped forward: no old rows are deleted for an hour {"jumpedSeconds":31536000}',
  ]);
  clock.wrongBy = 0;
  await clock.advance(2 * 3_600_000);
  expect(deletions.length).toBeGreaterThan(100);
  for (const { before } of deletions) expect(before).toBeLessThanOrEqual(clock.now() - 7 * day);
});

test('a clock that has stayed for an hour after a jump is believed', async () => {
  const { clock, deletions } = retaining();
  await clock.advance(20_000);
  clock.wrongBy = 365 * day;
  await clock.advance(3_600_000);
  expect(deletions.splice(0)).toHaveLength(1);
  await clock.advance(40_000);
  expect(deletions.at(-1)?.before).toBeGreaterThan(clock.elapsed());
});
