import fc from 'fast-check';
import { batchOf } from '../store/support.ts';
import { firstTime, lastTime } from './random-conditions.ts';
import { minute, type slicedWorld, timeText } from './sliced-world.ts';

type World = Awaited<ReturnType<typeof slicedWorld>>;

/** The rows that were added, whether they are still there or not. */
export class AddedRows {
  readonly #rows: { readonly id: string; readonly timestamp: bigint }[] = [];

  /** A new row. */
  at(time: bigint) {
    const timestamp = time < firstTime ? firstTime : time > lastTime ? lastTime : time;
    const seed = this.#rows.length + 1;
    const id = `r${seed}`;
    this.#rows.push({ id, timestamp });
    return rowOf(id, timestamp, seed);
  }

  /** One of them, as keys have it. */
  key(place: number) {
    return this.#rows[place % this.#rows.length] as { readonly id: string; readonly timestamp: bigint };
  }

  /** One of them with other values, as a sender may send it again. */
  again(place: number) {
    const { id, timestamp } = this.key(place);
    return rowOf(id, timestamp, place);
  }
}

const rowOf = (id: string, time: bigint, seed: number) => ({
  ...{ id, timestamp: timeText(time) },
  project: seed % 11 === 0 ? null : `p${seed % 3}`,
  status: 200 + (seed % 5) * 100,
  amount: seed % 7 === 0 ? null : `${seed % 50}.25`,
  ratio: seed / 7,
  ok: seed % 4 === 0 ? null : seed % 4 === 1,
  slice: seed % 9,
  slice_rows: `${seed % 2}`,
  m: Array.from({ length: seed % 13 === 0 ? seed % 4 : 1 }, (_, i) => ({ n: seed + i, t: `t${i}` })),
});

/** What happens to rows, in one commit if it is seen by readers at once. */
export interface Change {
  readonly isOneCommit: boolean;
  apply(world: World, rows: AddedRows): Promise<unknown>;
}

const never = () => new AbortController().signal;

/** @param back draws how long before the present rows are, in microseconds */
export function changesWith(back: fc.Arbitrary<bigint>): fc.Arbitrary<Change> {
  const times = fc.array(back, { minLength: 1, maxLength: 12 });
  const places = fc.array(fc.nat(), { minLength: 1, maxLength: 5 });
  const change = <T>(
    values: fc.Arbitrary<T>,
    apply: (value: T, world: World, rows: AddedRows) => Promise<unknown>,
    isOneCommit = true,
  ) => values.map((value): Change => ({ isOneCommit, apply: (world, rows) => apply(value, world, rows) }));
  return fc.oneof(
    {
      arbitrary: change(fc.integer({ min: 1, max: 40 }), (count, { add, clock }, rows) =>
        add(
          Array.from({ length: count }, (_, i) => rows.at(clock.now - BigInt(i) * 1_000_000n)),
          true,
        ),
      ),
      weight: 4,
    },
    {
      arbitrary: change(times, (before, { add, clock }, rows) =>
        add(before.map((micros) => rows.at(clock.now - micros))),
      ),
      weight: 3,
    },
    change(times, ({ length, ...before }, { store, clock, current }, rows) =>
      store.append(
        current(),
        batchOf(...Array.from({ length }, (_, i) => rows.at(clock.now - (before[i] ?? 0n)))),
        {
          origin: 'imported',
        },
      ),
    ),
    change(places, (some, { add }, rows) => add(some.map((place) => rows.again(place)))),
    change(places, (some, { store, current }, rows) => {
      const keys = async function* () {
        yield some.map((place) => rows.key(place));
      };
      return store.deleteRows(current(), { keys: keys() }, never());
    }),
    // Rows in flat form and others are deleted by a commit each.
    change(
      fc.integer({ min: 300, max: 900 }),
      (minutes, { store, clock, current }) =>
        store.deleteRows(current(), { before: clock.now - BigInt(minutes) * minute }, never()),
      false,
    ),
    change(fc.constant('more'), (name, { addColumn }) => addColumn(name)),
  );
}
