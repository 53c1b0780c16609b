import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FilterClause } from '../../../src/sql/lql/syntax/syntax.ts';
import { printLql } from './print-lql.ts';
import { timesHeld } from './support/evaluate-filter.ts';
import { eventFilters } from './support/event-filters.ts';
import { type Event, eventColumns, someEvents } from './support/events.ts';
import { type LqlWorld, openLqlWorld } from './support/lql-world.ts';

const events = someEvents(120);
let world: LqlWorld;
beforeAll(async () => {
  world = await openLqlWorld(eventColumns, events, BigInt(Date.UTC(2026, 10, 20, 6)) * 1000n);
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** How many rows the joins of a chart make of one. */
const times = (filters: readonly FilterClause[], row: Event) =>
  filters.reduce((product, filter) => product * timesHeld(filter, row), 1);

const millisOfDay = 86_400_000;
const dayOf = ({ timestamp }: Event) => {
  const millis = Date.parse(timestamp);
  return (millis - (millis % millisOfDay)) * 1000;
};

describe('generated filters', () => {
  it('choose the rows that a direct evaluation chooses, each of them once', async () => {
    await fc.assert(
      fc.asyncProperty(eventFilters, async (filters) => {
        const expected = events.filter((row) => times(filters, row) > 0).map(({ id }) => id);
        const rows = await world.ask(`s:id ${printLql({ clauses: filters })}`);
        expect(rows.map(({ id }) => id as string).sort()).toEqual(expected.sort());
      }),
      { numRuns: 120 },
    );
  });

  it('count in charts once for each element that they hold for', async () => {
    await fc.assert(
      fc.asyncProperty(eventFilters, async (filters) => {
        const counts = new Map<number, number>();
        for (const row of events) {
          const count = times(filters, row);
          if (count > 0) counts.set(dayOf(row), (counts.get(dayOf(row)) ?? 0) + count);
        }
        const rows = await world.ask(`c:count(*) c:group_by(t::day) ${printLql({ clauses: filters })}`);
        const expected = [...counts].sort(([a], [b]) => a - b);
        expect(rows.map(({ timestamp, count }) => [timestamp, count])).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });
});
