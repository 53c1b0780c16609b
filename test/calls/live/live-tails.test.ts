import { describe, expect, test } from 'vitest';
import type { TailBegin } from '../../../src/calls/live/first-events.ts';
import { LiveTails } from '../../../src/calls/live/live-tails.ts';
import type { TailEvent } from '../../../src/calls/live/tail-event.ts';
import type { Endpoint, EndpointTable } from '../../../src/definitions/endpoints/endpoint.ts';
import { newPlan } from '../../../src/sql/plan/plan.ts';
import type { Row } from '../../../src/sql/values/value.ts';
import { callOf } from '../../support/call-of.ts';
import { callerNamed } from '../executor/support/caller.ts';
import { endpointWith } from '../executor/support/endpoint.ts';
import { settled } from '../executor/support/manual-clock.ts';
import { away, LiveBench, TestWatcher } from './support.ts';

const columns = [
  { name: 'id', type: { kind: 'STRING' } },
  { name: 'timestamp', type: { kind: 'TIMESTAMP' } },
] as const;
const scan = { resolved_table_scan_node: { table: { full_name: 'logs.edge_logs' } } };
const plan = newPlan({ isCallers: false, sql: '', statement: scan, columns, parameters: new Map() });
const table: EndpointTable = { name: 'edge', plan, boundBy: new Set() };
const endpoint = endpointWith({ sandbox: true, tables: [table], maxRows: 4 });

interface Asked extends Partial<TailBegin> {
  readonly table?: EndpointTable;
  readonly lql?: string;
  readonly on?: LiveTails;
  /** Whether personal data is hidden from the caller. */
  readonly hides?: boolean;
  /** The caller's key. */
  readonly key?: string;
}

interface BenchOptions {
  readonly isTold?: boolean;
  readonly maxRows?: number;
}

/** A table of rows, and its tails. */
class TailBench extends LiveBench {
  rows: Row[] = [];
  readonly tails: LiveTails;
  #ids = 0;

  readonly #options: BenchOptions;
  readonly #endpoint: Endpoint;

  constructor(options: BenchOptions = {}) {
    super();
    this.#options = options;
    this.#endpoint = { ...endpoint, maxRows: options.maxRows ?? endpoint.maxRows };
    this.columns = columns;
    this.answer = ({ query, parameters }) => {
      const [since, until] = [parameters.get('tail_since'), parameters.get('tail_until')];
      if (typeof since !== 'bigint' || typeof until !== 'bigint') throw new TypeError('no times');
      const found = this.rows.filter((row) => timeOf(row) >= since && timeOf(row) <= until);
      const sorted = found.toSorted((a, b) => Number(timeOf(a) - timeOf(b)));
      return query?.canonical.includes('DESC') ? sorted.toReversed() : sorted;
    };
    this.tails = this.replica();
  }

  /** The tails of another gateway over the same rows. */
  replica(): LiveTails {
    const { isTold = true } = this.#options;
    return new LiveTails({
      ...this.parts,
      ...(isTold && { changes: this.changes }),
      makeId: () => `t${++this.#ids}`,
      adHocQueries: {
        known: () => undefined,
        plan: async ({ maxRows }, { text }) => ({ canonical: text, plan, maxRows, tables: [table] }),
      },
    });
  }

  /** Microseconds since the epoch, so many seconds before now. */
  ago(seconds: number): bigint {
    return BigInt(this.clock.now()) * 1000n - BigInt(Math.round(seconds * 1e6));
  }

  /** Commits rows: their ids, with the seconds of their age. */
  async commit(rows: Readonly<Record<string, number>>): Promise<void> {
    const added = Object.entries(rows).map(([id, age]): Row => [id, this.ago(age)]);
    this.rows.push(...added);
    const [since = 0n] = added.map(timeOf).toSorted((a, b) => Number(a - b));
    this.changes.tell([{ source: 'edge_logs', since }]);
    await this.clock.advance(1000);
  }

  watch(asked: Asked = {}, pace?: () => Promise<void>) {
    const { table: of = table, lql, rows = 3, after, on = this.tails, hides = false, key = 'test' } = asked;
    const watcher = new TestWatcher<TailEvent>();
    const call = callOf({
      endpoint: this.#endpoint,
      ...{ parameters: new Map([['project', 'a']]), reads: { tail: { table: of, lql } } },
      ...{ caller: { redact: hides }, payer: callerNamed(key) },
    });
    return watcher.watch(on.watch(call, { rows, after }, watcher), pace);
  }
}

function timeOf(row: Row): bigint {
  return BigInt(String(row[1]));
}

/** The ids of each event's rows. */
async function idsOf(watcher: TestWatcher<TailEvent>) {
  return Promise.all(
    watcher.events.map(async (event) => {
      if (event.kind !== 'rows') return event.kind;
      return (await watcher.rowsOf(event)).map(([id]) => id).join(' ');
    }),
  );
}

const lastCursor = ({ events }: TestWatcher<TailEvent>) =>
  events.flatMap((event) => (event.kind === 'rows' ? [event.cursor] : [])).at(-1);

test('the newest rows come first, then those that arrive, each once and oldest first', async () => {
  const bench = new TailBench();
  bench.rows.push(['a', bench.ago(50)], ['b', bench.ago(40)], ['c', bench.ago(30)], ['d', bench.ago(20)]);
  const watcher = bench.watch();
  await settled();
  await bench.commit({ f: 5, e: 10 });
  await bench.commit({ g: 0 });
  expect(await idsOf(watcher)).toEqual(['b c d', 'e f', 'g']);
});

test('a late row comes when it arrives, but not if it is more than a minute older than the newest', async () => {
  const bench = new TailBench();
  bench.rows.push(['a', bench.ago(0)]);
  const watcher = bench.watch();
  await settled();
  await bench.commit({ late: 30 });
  await bench.commit({ tooLate: 90 });
  await bench.commit({ b: 0 });
  expect(await idsOf(watcher)).toEqual(['a', 'late', 'b']);
});

test('a row of any age comes to a tail that has none, also after a lost connection and on another replica', async () => {
  const bench = new TailBench();
  const [watcher, other] = [bench.watch(), bench.watch()];
  await settled();
  await watcher.leave();
  await bench.commit({ old: 300 });
  await bench.commit({ older: 330, tooLate: 400, next: 0 });
  expect(await idsOf(other)).toEqual(['', 'old', 'older next']);
  const after = lastCursor(watcher);
  const [again, elsewhere] = [bench.watch({ after }), bench.watch({ after, on: bench.replica() })];
  await settled();
  expect(await idsOf(again)).toEqual(['', 'old', 'older next']);
  expect(await idsOf(elsewhere)).toEqual(['tooLate older old next']);
});

test('rows of one time and id come all, each once', async () => {
  const bench = new TailBench({ maxRows: 10 });
  const watcher = bench.watch();
  await settled();
  await bench.commit({ a: 0 });
  await watcher.leave();
  const [row = []] = bench.rows;
  bench.rows.push(row, row);
  bench.changes.tell([{ source: 'edge_logs', since: timeOf(row) }]);
  await bench.commit({ b: 0 });
  for (const on of [bench.tails, bench.replica()]) {
    const again = bench.watch({ on, after: lastCursor(watcher) });
    await settled();
    expect((await idsOf(again)).join(' ').trim()).toBe('a a b');
    await again.leave();
    const third = bench.watch({ on: bench.replica(), after: lastCursor(again) });
    await settled();
    expect(await idsOf(third)).toEqual(['']);
  }
});

test('rows that were there before are not new, though they are as old as late ones', async () => {
  const bench = new TailBench();
  for (const [index, id] of ['a', 'b', 'c', 'd', 'e', 'f'].entries())
    bench.rows.push([id, bench.ago(30 - index)]);
  const watcher = bench.watch({ rows: 2 });
  await settled();
  await bench.commit({ g: 29 });
  await bench.commit({ h: 0 });
  expect(await idsOf(watcher)).toEqual(['e f', 'h']);
});

describe('rows ahead of the clock', () => {
  const hour = 3600;
  const ahead = (bench: TailBench, count: number, seconds: number) =>
    bench.rows.push(...Array.from({ length: count }, (_, n): Row => [`ahead ${n}`, bench.ago(-seconds - n)]));

  test.each([
    ['a result may have', hour],
    ['come in a day', 900 * 365 * 24 * hour],
  ])('that are more than %s hide no others', async (_, seconds) => {
    const bench = new TailBench();
    ahead(bench, 50, seconds);
    bench.rows.push(['a', bench.ago(20)], ['b', bench.ago(10)]);
    const watcher = bench.watch();
    await settled();
    await bench.commit({ c: 0 });
    await bench.commit({ d: 1 });
    expect(await idsOf(watcher)).toEqual(['a b', 'c', 'd']);
    // They aren't read again and again.
    expect(bench.calls.length).toBeLessThan(10);
  });

  test('come when they arrive, and not again when the clock gets to them', async () => {
    const bench = new TailBench();
    const watcher = bench.watch();
    await settled();
    await bench.commit({ soon: -60 });
    await bench.commit({ a: 0, later: -hour });
    await bench.clock.advance(120_000);
    await bench.commit({ b: 0 });
    await bench.clock.advance(2 * hour * 1000);
    await bench.commit({ c: 0 });
    expect(await idsOf(watcher)).toEqual(['', 'soon', 'a later', 'b', 'c']);
  });

  test('that were there before come when the clock gets to them, though no other row arrives', async () => {
    const bench = new TailBench();
    bench.rows.push(['far', bench.ago(-30 * hour)], ['second', bench.ago(-20)], ['first', bench.ago(-10)]);
    const watcher = bench.watch();
    await settled();
    expect(await idsOf(watcher)).toEqual(['']);
    await bench.clock.advance(10_200);
    expect(await idsOf(watcher)).toEqual(['', 'first']);
    // The row of a commit that is later than one that has become due in the meantime.
    await bench.commit({ late: -9.5 });
    await bench.clock.advance(10_000);
    expect(await idsOf(watcher)).toEqual(['', 'first', 'late', 'second']);
    await bench.clock.advance(30 * hour * 1000);
    expect((await idsOf(watcher)).at(-1)).toBe('far');
  });

  test('come with a commit of later rows, if they are due then', async () => {
    const bench = new TailBench();
    bench.rows.push(['due', bench.ago(-10)]);
    const watcher = bench.watch();
    await settled();
    const commit = (id: string, seconds: number) => {
      bench.rows.push([id, bench.ago(-seconds)]);
      bench.changes.tell([{ source: 'edge_logs', since: bench.ago(-seconds) }]);
    };
    await bench.clock.advance(9_900);
    commit('a', 0);
    await bench.clock.advance(50);
    commit('later', 0.2);
    await bench.clock.advance(1000);
    expect(await idsOf(watcher)).toEqual(['', 'a', 'due later']);
  });

  test('that are too many to come at once come when the clock gets to them, each once', async () => {
    const bench = new TailBench();
    const watcher = bench.watch();
    await settled();
    await bench.commit(Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`r${n}`, -hour - n])));
    expect(await idsOf(watcher)).toEqual(['']);
    await bench.commit({ a: 0 });
    await bench.clock.advance((hour + 20) * 1000);
    const all = (await idsOf(watcher)).join(' ').trim().split(/ +/);
    expect(all).toEqual(['a', ...Array.from({ length: 9 }, (_, n) => `r${n}`)]);
  });

  test('come on engines that tell of no changes, too', async () => {
    const bench = new TailBench({ isTold: false });
    ahead(bench, 50, 30 * hour);
    const watcher = bench.watch();
    await settled();
    bench.rows.push(['a', bench.ago(0)], ['soon', bench.ago(-60)]);
    await bench.clock.advance(5000);
    bench.rows.push(['b', bench.ago(0)]);
    await bench.clock.advance(120_000);
    expect(await idsOf(watcher)).toEqual(['', 'a soon', 'b']);
  });
});

test('more rows than a result may have come in parts', async () => {
  const bench = new TailBench();
  const watcher = bench.watch();
  await settled();
  await bench.commit(Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`r${n}`, 25 - n])));
  await bench.clock.advance(5000);
  const ids = (await idsOf(watcher)).join(' ').trim().split(/ +/);
  expect(ids).toEqual(Array.from({ length: 25 }, (_, n) => `r${n}`));
});

test('a thousand who watch the same share each run', async () => {
  const bench = new TailBench();
  const watchers = Array.from({ length: 1000 }, () => bench.watch());
  await settled();
  await bench.commit({ a: 0 });
  expect(bench.calls).toHaveLength(2);
  for (const watcher of watchers) expect(await idsOf(watcher)).toEqual(['', 'a']);
});

test('after a lost connection, the rows since then come', async () => {
  const bench = new TailBench();
  const [other, watcher] = [bench.watch(), bench.watch()];
  await settled();
  await bench.commit({ a: 0 });
  await watcher.leave();
  await bench.commit({ b: 0 });
  await bench.commit({ c: 0 });
  const after = lastCursor(watcher);
  const again = bench.watch({ after });
  await settled();
  await bench.commit({ d: 0 });
  // The first event shows that the client is connected.
  expect(await idsOf(again)).toEqual(['', 'b', 'c', 'd']);
  expect(other.ended).toBeUndefined();
});

describe('a client that connects again', () => {
  /** Rows that arrive while it is away: of the time of the last one that it has, before and after it, late and ahead. */
  const missed = { same: 1, before: 1.000001, late: 6, after: 0.5, ahead: -20 };

  test('gets all rows that have arrived meanwhile, each once, though nobody else has watched', async () => {
    const bench = new TailBench({ maxRows: 10 });
    let watcher = bench.watch();
    await settled();
    await bench.commit({ first: 0, soon: -30 });
    await watcher.leave();
    await bench.commit(missed);
    watcher = bench.watch({ after: lastCursor(watcher) });
    await settled();
    expect(await idsOf(watcher)).toEqual(['', 'late before same after ahead']);
    for (let n = 0; n < 3; n++) {
      await watcher.leave();
      watcher = bench.watch({ after: lastCursor(watcher) });
      await bench.clock.advance(20_000);
      expect(await idsOf(watcher)).toEqual(['']);
    }
    await bench.commit({ last: 0 });
    expect(await idsOf(watcher)).toEqual(['', 'last']);
  });

  test.each([true, false])(
    'gets the same of another replica, and of one that has restarted (told of changes: %s)',
    async (isTold) => {
      const bench = new TailBench({ isTold, maxRows: 10 });
      const watcher = bench.watch();
      await settled();
      await bench.commit({ first: 0, soon: -30 });
      await bench.clock.advance(4000);
      await watcher.leave();
      await bench.commit(missed);
      const other = bench.replica();
      let again = bench.watch({ on: other, after: lastCursor(watcher) });
      await settled();
      // A row ahead that was there before this tail began comes when the clock gets to its time.
      expect(await idsOf(again)).toEqual(['late before same after']);
      await again.leave();
      // To the first one, and back.
      for (const on of [bench.tails, other]) {
        again = bench.watch({ on, after: lastCursor(again) });
        await settled();
        expect((await idsOf(again)).filter((ids) => !['', 'ahead'].includes(ids))).toEqual([]);
        await again.leave();
      }
      again = bench.watch({ on: other, after: lastCursor(again) });
      await bench.clock.advance(40_000);
      await bench.commit({ last: 0 });
      await bench.clock.advance(4000);
      expect((await idsOf(again)).filter((ids) => !['', 'ahead'].includes(ids))).toEqual(['last']);
    },
  );

  test('to another replica is told that rows may be left out, if they can’t be told from those that it has', async () => {
    const bench = new TailBench({ maxRows: 100 });
    const watcher = bench.watch();
    await settled();
    await bench.commit(Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`r${n}`, 60 - n])));
    await watcher.leave();
    await bench.commit({ late: 10, next: 0 });
    const again = bench.watch({ on: bench.replica(), after: lastCursor(watcher) });
    await settled();
    expect(await idsOf(again)).toEqual(['skipped', 'next']);
  });

  test('is sent no ids of rows with texts that it may not see', async () => {
    const bench = new TailBench();
    const watcher = bench.watch({ hides: true });
    await settled();
    await bench.commit({ 'someone@example.com': 0 });
    await watcher.leave();
    expect(lastCursor(watcher)).toMatch(/^\w+-\d+-\d+$/);
    const again = bench.watch({ on: bench.replica(), after: lastCursor(watcher), hides: true });
    await settled();
    expect(await idsOf(again)).toEqual(['skipped', '']);
  });

  test('with an id that is none is told so, and gets the newest rows', async () => {
    const bench = new TailBench();
    bench.rows.push(['a', bench.ago(50)], ['b', bench.ago(40)]);
    const watcher = bench.watch({ after: 'none', rows: 1 });
    await settled();
    expect(await idsOf(watcher)).toEqual(['skipped', 'b']);
  });

  test.each([
    ['other filters', { lql: 'id:x' }],
    ['another table', { table: { ...table, name: 'other' } }],
  ])('with the id of a tail with %s is told so, and gets the newest rows', async (_, asked) => {
    const bench = new TailBench();
    const watcher = bench.watch(asked);
    await settled();
    await bench.commit({ a: 0 });
    const other = bench.watch({ after: lastCursor(watcher), rows: 1 });
    await settled();
    expect(await idsOf(other)).toEqual(['skipped', 'a']);
  });

  test('gets rows that arrive while it connects once', async () => {
    const bench = new TailBench({ maxRows: 10 });
    const watcher = bench.watch();
    await settled();
    await bench.commit({ first: 0 });
    await watcher.leave();
    await bench.commit({ a: 0 });
    const on = bench.replica();
    const present = bench.watch({ on });
    await settled();
    const { answer } = bench;
    const gate = Promise.withResolvers<void>();
    bench.answer = async (call) => {
      if (call.query?.canonical.includes('DESC')) await gate.promise;
      return answer(call);
    };
    const again = bench.watch({ on, after: lastCursor(watcher) });
    await settled();
    await bench.commit({ b: 0 });
    gate.resolve();
    await settled();
    expect(await idsOf(present)).toEqual(['first a', 'b']);
    expect(await idsOf(again)).toEqual(['a', 'b']);
  });

  test('after more rows than are read for it is told so, and gets the newest ones', async () => {
    const bench = new TailBench();
    const watcher = bench.watch();
    await settled();
    await bench.commit({ first: 0 });
    await watcher.leave();
    await bench.clock.advance(10_000);
    await bench.commit(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`r${n}`, 5 - n / 20])));
    const [again, joined] = [bench.watch({ after: lastCursor(watcher) }), bench.watch({ rows: 2 })];
    await settled();
    expect(await idsOf(again)).toEqual(['skipped', 'r96 r97 r98 r99']);
    expect(await idsOf(joined)).toEqual(['r98 r99']);
  });

  test('is not waited for when memory is short', async () => {
    const bench = new TailBench();
    const watcher = bench.watch();
    await settled();
    await bench.commit({ a: 0 });
    await watcher.leave();
    const { budget } = bench.budgets.live;
    using other = budget.hold({ key: 'key test', subject: '' }, () => {});
    other.resize(budget.maxBytes);
    expect(budget.state.usedBytes).toBe(budget.maxBytes);
  });

  test('after minutes is not waited for any more, and is told so only if it may have missed rows', async () => {
    const bench = new TailBench();
    const watcher = bench.watch();
    await settled();
    await bench.commit({ a: 0 });
    await watcher.leave();
    const { usedBytes } = bench.budgets.live.budget.state;
    expect(usedBytes).toBeGreaterThan(0);
    await bench.clock.advance(300_000);
    expect(bench.budgets.live.budget.state.usedBytes).toBe(0);
    await bench.commit({ b: 0 });
    const again = bench.watch({ after: lastCursor(watcher) });
    await settled();
    expect(await idsOf(again)).toEqual(['b']);
  });
});

test('tails that nobody watches give way to those that are watched, of the key that has most first', async () => {
  const bench = new TailBench();
  const leave = async (lql: string, key: string) => {
    const watcher = bench.watch({ lql, key });
    await settled();
    await watcher.leave();
    return lastCursor(watcher);
  };
  const few = await leave('id:few', 'few');
  for (let n = 0; n < 20; n++) await leave(`id:many${n}`, 'many');
  bench.calls.length = 0;
  const again = bench.watch({ lql: 'id:few', key: 'few', after: few });
  await settled();
  expect(await idsOf(again)).toEqual(['']);
  // It went on: nothing but the rows that may have arrived was read.
  expect(bench.calls).toHaveLength(1);
});

test('more rows of one time than a result may have are left out, and that is said once', async () => {
  const bench = new TailBench();
  const watcher = bench.watch();
  await settled();
  await bench.commit({ a: 5, b: 5, c: 5, d: 5, e: 5, f: 5 });
  await bench.commit({ g: 0 });
  await bench.commit({ h: 0 });
  expect(await idsOf(watcher)).toEqual(['', 'skipped', 'a b c d', 'g', 'h']);
});

test('who has missed nothing is told at once that the connection stands', async () => {
  const bench = new TailBench();
  const watcher = bench.watch();
  await settled();
  await bench.commit({ a: 0 });
  const after = lastCursor(watcher);
  // Of the same tail, and of one that has ended.
  const [same, other] = [
    bench.watch({ after }),
    bench.watch({ after: after?.replace(/^(.{8})[^-]+/, '$1other') }),
  ];
  await settled();
  expect(await idsOf(same)).toEqual(['']);
  expect(await idsOf(other)).toEqual(['']);
});

test('a slow reader is skipped forward, and is told so', async () => {
  const bench = new TailBench();
  let release = () => {};
  const pace = () =>
    new Promise<void>((resolve) => {
      release = resolve;
    });
  const [slow, quick] = [bench.watch({}, pace), bench.watch()];
  await settled();
  const big = 'x'.repeat(3_000_000);
  for (let n = 0; n < 6; n++) await bench.commit({ [`${n}${big}`]: 0 });
  release();
  await settled();
  release();
  await settled();
  const kinds = slow.events.map(({ kind }) => kind);
  expect(kinds.slice(0, 2)).toEqual(['rows', 'skipped']);
  expect(quick.events.filter(({ kind }) => kind === 'rows')).toHaveLength(7);
});

test('when memory is short, tails forget what all watchers have, and who joins or comes back reads it again', async () => {
  const bench = new TailBench();
  bench.rows.push(['a', bench.ago(50)], ['b', bench.ago(40)]);
  const watcher = bench.watch();
  await settled();
  await bench.commit({ c: 5 });
  const { budget } = bench.budgets.live;
  // All that the budget has: nothing is left for what tails keep.
  const own = { key: 'key test', subject: '' };
  const other = budget.hold(own, () => {});
  other.resize(budget.maxBytes - budget.state.usedBytes + 100);
  const [joined, back] = [bench.watch(), bench.watch({ after: lastCursor(watcher) })];
  await settled();
  await bench.commit({ d: 0 });
  expect([watcher.ended, joined.ended, back.ended]).toEqual([undefined, undefined, undefined]);
  expect(await idsOf(watcher)).toEqual(['a b', 'c', 'd']);
  expect(await idsOf(joined)).toEqual(['a b c', 'd']);
  expect((await idsOf(back)).filter((ids) => ids !== '')).toEqual(['d']);
  other[Symbol.dispose]();
});

test('a failed run is told, and no row is lost by it', async () => {
  const bench = new TailBench();
  const watcher = bench.watch();
  await settled();
  const { answer } = bench;
  bench.answer = () => Promise.reject(away);
  await bench.commit({ a: 0 });
  bench.answer = answer;
  await bench.clock.advance(1000);
  const ids = await idsOf(watcher);
  expect(ids[0]).toBe('');
  expect(ids[1]).toBe('error');
  expect(ids.at(-1)).toBe('a');
});

test('on engines that tell of no changes, rows are read after each interval', async () => {
  const bench = new TailBench({ isTold: false });
  bench.rows.push(['old', bench.ago(7200)]);
  const watcher = bench.watch();
  await settled();
  bench.rows.push(['a', bench.ago(0)]);
  await bench.clock.advance(4000);
  expect(await idsOf(watcher)).toEqual(['']);
  await bench.clock.advance(1000);
  expect(await idsOf(watcher)).toEqual(['', 'a']);
});

test('filters are LQL without other clauses', async () => {
  const bench = new TailBench();
  const [good, bad] = [bench.watch({ lql: 'm' }), bench.watch({ lql: 'c:count(*)' })];
  await settled();
  expect(bad.ended).toMatchObject({ code: 'BAD_USER_INPUT' });
  expect(good.ended).toMatchObject({ message: expect.stringContaining('event_message') });
});

test('a table without times has no tail', async () => {
  const bench = new TailBench();
  const timeless = { ...table, plan: { ...plan, columns: columns.slice(0, 1) } };
  const watcher = bench.watch({ table: timeless });
  await settled();
  expect(watcher.ended).toMatchObject({
    code: 'BAD_USER_INPUT',
    message: expect.stringContaining('no tail'),
  });
});
