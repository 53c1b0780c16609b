import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { valuesAt } from './support/evaluate-filter.ts';
import { type Event, eventColumns, someEvents } from './support/events.ts';
import { type LqlWorld, openLqlWorld } from './support/lql-world.ts';

const events = someEvents(120);
let world: LqlWorld;
beforeAll(async () => {
  world = await openLqlWorld(eventColumns, events, BigInt(Date.UTC(2026, 10, 20, 6)) * 1000n);
});
afterAll(() => world?.[Symbol.asyncDispose]());

const millisOfDay = 86_400_000;
const dayOf = ({ timestamp }: Event) => {
  const millis = Date.parse(timestamp);
  return (millis - (millis % millisOfDay)) * 1000;
};

describe('aggregates', () => {
  /** The values of an aggregate by day, in order of time. */
  const chart = async (aggregate: string) =>
    (await world.ask(`c:group_by(t::d) c:${aggregate}`)).map((row) => Object.values(row));
  const byDay = (names: string, aggregated: (values: number[]) => number) => {
    const days = new Map<number, number[]>();
    for (const row of events) {
      const values = valuesAt(row, names.split('.')).filter((value) => value !== null);
      days.set(dayOf(row), [...(days.get(dayOf(row)) ?? []), ...(values as number[])]);
    }
    return [...days].sort(([a], [b]) => a - b).map(([day, values]) => [day, aggregated(values)]);
  };
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

  it('are about every element once, NULL apart', async () => {
    expect(await chart('sum(m.status)')).toEqual(byDay('metadata.status', sum));
    expect(await chart('max(m.request.ms)')).toEqual(byDay('metadata.request.ms', (ms) => Math.max(...ms)));
    expect(await chart('countd(m.request.ms)')).toEqual(
      byDay('metadata.request.ms', (values) => new Set(values).size),
    );
    const means = byDay('x', (values) => sum(values) / values.length);
    expect(await chart('avg(x)')).toEqual(means.map(([day, mean]) => [day, expect.closeTo(mean ?? 0, 9)]));
  });

  it('count rows, whatever they are said to count', async () => {
    const rows = byDay('id', (ids) => ids.length);
    expect(await chart('count(*)')).toEqual(rows);
    expect(await chart('count(m.request.path)')).toEqual(rows);
  });

  it('find percentiles', async () => {
    const values = (await chart('p50(n)')).map(([, value]) => value);
    expect(values).toHaveLength(2);
    for (const value of values) expect([0, 1, 5]).toContain(value);
  });
});

describe('an invalid regular expression', () => {
  it.each<[string, string]>([
    ['~"["', 'LQL: Cannot parse regular expression: missing ]: [ [at 1:1]\n~"["\n^'],
    ['error -~(', 'LQL: Cannot parse regular expression: missing ): ( [at 1:7]\nerror -~(\n      ^'],
    ['m.level:~"(?=a)"', 'LQL: Cannot parse regular expression: invalid perl operator: (?= [at 1:10]'],
    ['m.level:~"{2}"', 'no argument for repetition operator: {2} [at 1:10]'],
  ])('is refused at its place, be there rows or not: %s', async (lql, message) => {
    await expect(world.ask(lql)).rejects.toThrow(message);
    await expect(world.ask(`t:2001-01-01 ${lql}`)).rejects.toThrow('LQL: Cannot parse regular expression: ');
  });
});

describe('plain selects', () => {
  it('have all columns, and the newest rows first', async () => {
    const rows = await world.ask('s:*');
    expect(rows).toHaveLength(events.length);
    expect(Object.keys(rows[0] ?? {})).toEqual(['id', 'timestamp', ...eventColumns.map(({ name }) => name)]);
    const stamps = rows.map(({ timestamp }) => timestamp as number);
    expect(stamps).toEqual([...stamps].sort((a, b) => b - a));
    expect(await world.ask('-n:NULL n:NULL')).toEqual([]);
  });

  it('keep rows without elements, with NULL for their fields', async () => {
    const rows = await world.ask('s:id s:m.request.path@path s:m.level');
    const expected = events.flatMap(({ id, metadata }) => {
      const elements = metadata.length > 0 ? metadata : [{ level: null, request: [] }];
      return elements.flatMap(({ level, request }) =>
        (request.length > 0 ? request : [{ path: null }]).map(({ path }) => ({
          id,
          path,
          metadata_level: level,
        })),
      );
    });
    const texts = (list: readonly object[]) => list.map((row) => JSON.stringify(row)).sort();
    expect(texts(rows)).toEqual(texts(expected));
  });

  it('with many clauses stay within the sandbox’s limits', async () => {
    const clauses = Array.from({ length: 99 }, (_, index) => `-m.request.path:v${index}`);
    const rows = await world.ask(`s:id ${clauses.join(' ')}`);
    const expected = events.filter(({ metadata }) => metadata.some(({ request }) => request.length > 0));
    expect(rows).toHaveLength(expected.length);
  });
});
