import fc from 'fast-check';
import { expect, test } from 'vitest';
import { effort } from '../../../support/effort.ts';
import '../../../support/random-values.ts';
import { batchOf } from '../store/support.ts';
import { question } from './random-questions.ts';
import { hour, minute, slicedWorld, source, start, timeText } from './sliced-world.ts';

const row = (id: string, time: bigint, seed: number) => ({
  id,
  timestamp: timeText(time),
  project: seed % 11 === 0 ? null : `p${seed % 3}`,
  status: 200 + (seed % 5) * 100,
  amount: seed % 7 === 0 ? null : `${seed % 50}.25`,
  ratio: seed / 7,
  ok: seed % 4 === 0 ? null : seed % 4 === 1,
  m: Array.from({ length: seed % 13 === 0 ? seed % 4 : 1 }, (_, i) => ({ n: seed + i, t: `t${i}` })),
});

const step = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('ask' as const), question, again: fc.boolean() }), weight: 8 },
  { arbitrary: fc.record({ kind: fc.constant('repeat' as const), place: fc.nat() }), weight: 8 },
  {
    arbitrary: fc.record({ kind: fc.constant('new rows' as const), count: fc.integer({ min: 1, max: 40 }) }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('late rows' as const),
      minutes: fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 12 }),
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      minutes: fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 12 }),
    }),
    weight: 1,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      places: fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
    }),
    weight: 1,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('delete old' as const),
      minutes: fc.integer({ min: 300, max: 900 }),
    }),
    weight: 1,
  },
  {
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 3000 }) }),
    weight: 3,
  },
);

test(
  'an answer from slices is that from all rows, whatever happens to rows and the clock',
  async () => {
    const { store, clock, add, sliced, whole, failures } = await slicedWorld();
    let ids = 0;
    let kept = 0;
    let asked = 0;
    const rows: { id: string; timestamp: bigint }[] = [];
    const made = (time: bigint) => {
      const id = `r${ids++}`;
      rows.push({ id, timestamp: time });
      return row(id, time, ids);
    };
    await add(Array.from({ length: 1500 }, (_, i) => made(start - 10n * hour + BigInt(i) * 24_000_000n)));
    const questions: (typeof question extends fc.Arbitrary<infer Q> ? Q : never)[] = [];
    const compare = async (asks: (typeof questions)[number]) => {
      const outcome = async (ask: typeof sliced) => {
        try {
          return await ask(asks);
        } catch (error) {
          return { error: String(error), slices: undefined };
        }
      };
      const fromSlices = await outcome(sliced);
      const { slices: _, ...expected } = await outcome(whole);
      const { slices, ...actual } = fromSlices;
      if (failures.length > 0 && 'rows' in expected) throw failures[0];
      failures.length = 0;
      expect(actual, asks.sql).toEqual(expected);
      asked += 1;
      if ((slices?.kept ?? 0) > 0) kept += 1;
    };
    for (const each of fc.sample(step, { numRuns: 150 * effort, seed: effort === 1 ? 1 : Date.now() })) {
      switch (each.kind) {
        case 'ask':
          questions.push(each.question);
          await compare(each.question);
          if (each.again) await compare(each.question);
          break;
        case 'repeat': {
          const asks = questions.at(-1 - (each.place % 20));
          if (asks !== undefined) await compare(asks);
          break;
        }
        case 'new rows':
          await add(
            Array.from({ length: each.count }, (_, i) => made(clock.now - BigInt(i) * 1_000_000n)),
            true,
          );
          break;
        case 'late rows':
          await add(each.minutes.map((minutes) => made(clock.now - BigInt(minutes) * minute)));
          break;
        case 'import':
          await store.append(
            source,
            batchOf(...each.minutes.map((minutes) => made(clock.now - BigInt(minutes) * minute))),
            { origin: 'imported' },
          );
          break;
        case 'delete': {
          const keys = each.places.flatMap((place) => rows.slice(place % rows.length).slice(0, 1));
          const some = async function* () {
            yield keys;
          };
          await store.deleteRows(source, { keys: some() }, new AbortController().signal);
          break;
        }
        case 'delete old':
          await store.deleteRows(
            source,
            { before: clock.now - BigInt(each.minutes) * minute },
            new AbortController().signal,
          );
          break;
        case 'wait':
          clock.now += BigInt(each.seconds) * 1_000_000n;
          break;
      }
    }
    expect(kept / asked).toBeGreaterThan(0.15);
  },
  120_000 * effort,
);
