import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { effort } from '../../../support/effort.ts';
import '../../../support/random-values.ts';
import { AddedRows, changesWith } from './random-changes.ts';
import { anyTime, firstTime, lastTime, nearTime } from './random-conditions.ts';
import { type Question, questionsWith } from './random-questions.ts';
import { hour, minute, slicedWorld, start } from './sliced-world.ts';

type World = Awaited<ReturnType<typeof slicedWorld>>;

/** What happens in a world. */
function stepsWith(time: fc.Arbitrary<bigint>, back: fc.Arbitrary<bigint>) {
  const question = questionsWith(time);
  const [change, place] = [changesWith(back), fc.nat()];
  return fc.oneof(
    {
      arbitrary: fc.record({ kind: fc.constant('ask' as const), question, again: fc.boolean() }),
      weight: 30,
    },
    { arbitrary: fc.record({ kind: fc.constant('repeat' as const), place }), weight: 14 },
    // The same question at other times, or with other values.
    { arbitrary: fc.record({ kind: fc.constant('vary' as const), place, question }), weight: 4 },
    { arbitrary: fc.record({ kind: fc.constant('change' as const), change }), weight: 18 },
    {
      arbitrary: fc.record({
        ...{ kind: fc.constant('beside' as const), change, place, turns: fc.integer({ min: 0, max: 12 }) },
      }),
      weight: 10,
    },
    {
      arbitrary: fc.record({
        kind: fc.constant('wait' as const),
        seconds: fc.integer({ min: 1, max: 3000 }),
      }),
      weight: 6,
    },
    { arbitrary: fc.constant({ kind: 'restart' as const }), weight: 1 },
  );
}

type Step = ReturnType<typeof stepsWith> extends fc.Arbitrary<infer S> ? S : never;

/** The answer, or the error. */
async function outcomeOf(ask: World['sliced'], question: Question) {
  try {
    const { slices, ...answer } = await ask(question);
    return { kept: slices?.kept ?? 0, answer };
  } catch (error) {
    return { kept: 0, answer: String(error) };
  }
}

/** Compares answers, and counts those that kept slices had a part in. */
class Comparison {
  readonly #world: World;
  readonly #rows: AddedRows;
  readonly #questions: Question[] = [];
  asked = 0;
  kept = 0;

  constructor(world: World, rows: AddedRows) {
    this.#world = world;
    this.#rows = rows;
  }

  async step(step: Step): Promise<void> {
    const { clock, restart } = this.#world;
    switch (step.kind) {
      case 'ask':
        this.#questions.push(step.question);
        await this.#compare(step.question);
        return step.again ? await this.#compare(step.question) : undefined;
      case 'repeat':
        return await this.#compare(this.#latest(step.place));
      case 'vary':
        return await this.#compare({ ...this.#latest(step.place), values: step.question.values });
      case 'change':
        return void (await step.change.apply(this.#world, this.#rows));
      case 'beside':
        return await this.#beside(step);
      case 'wait':
        clock.now += BigInt(step.seconds) * 1_000_000n;
        return;
      case 'restart':
        return await restart();
    }
  }

  /** One of the last questions. */
  #latest(place: number): Question {
    return this.#questions.at(-1 - (place % Math.min(20, this.#questions.length))) as Question;
  }

  /** Two runs of two questions beside a change are answered from the rows before it or after it. */
  async #beside({ place, change, turns }: Step & { readonly kind: 'beside' }): Promise<void> {
    const { sliced, whole } = this.#world;
    const questions = [0, 0, 1, 1].map((next) => this.#latest(place + next));
    const before = await this.#all(whole, questions);
    const changed = async () => {
      for (let i = 0; i < turns; i++) await turn();
      await change.apply(this.#world, this.#rows);
    };
    const [during] = await Promise.all([this.#all(sliced, questions), changed()]);
    const after = await this.#all(whole, questions);
    for (const [i, { answer }] of during.entries())
      if (change.isOneCommit)
        expect([before[i]?.answer, after[i]?.answer], questions[i]?.sql).toContainEqual(answer);
    for (const question of questions) await this.#compare(question);
  }

  #all(ask: World['sliced'], questions: readonly Question[]) {
    return Promise.all(questions.map((question) => outcomeOf(ask, question)));
  }

  async #compare(question: Question): Promise<void> {
    const { sliced, whole, failures } = this.#world;
    const { answer, kept } = await outcomeOf(sliced, question);
    const { answer: expected } = await outcomeOf(whole, question);
    if (failures.length > 0 && typeof expected !== 'string') throw failures[0];
    failures.length = 0;
    expect(answer, JSON.stringify([question.sql, ...Object.values(question.values).map(String)])).toEqual(
      expected,
    );
    this.asked += 1;
    if (kept > 0) this.kept += 1;
  }
}

const seed = () => (effort === 1 ? 1 : Date.now());
const years = lastTime - firstTime;
const minutesBack = fc.integer({ min: -20, max: 700 }).map((minutes) => BigInt(minutes) * minute);
const anyBack = anyTime.map((time) => start - time);

test.each<[string, (place: number) => bigint, ReturnType<typeof stepsWith>, steps: number]>([
  [
    'of some hours',
    (i) => start - 10n * hour + BigInt(i) * 24_000_000n,
    stepsWith(nearTime, minutesBack),
    130,
  ],
  ['of all years', (i) => firstTime + (BigInt(i) * years) / 1_500n, stepsWith(anyTime, anyBack), 30],
])(
  'an answer from slices is that from all rows, whatever happens to rows %s and the clock',
  async (_, timeOf, step, steps) => {
    const world = await slicedWorld();
    const rows = new AddedRows();
    await world.add(Array.from({ length: 1500 }, (_, i) => rows.at(timeOf(i))));
    const comparison = new Comparison(world, rows);
    const first: Step = {
      kind: 'ask',
      question: {
        sql: 'SELECT COUNT(*) AS n FROM logs.s',
        types: { from: { kind: 'TIMESTAMP' }, until: { kind: 'TIMESTAMP' }, p: { kind: 'STRING' } },
        maxRows: 1,
        values: {},
      },
      again: true,
    };
    for (const each of [first, ...fc.sample(step, { numRuns: steps * effort, seed: seed() })])
      await comparison.step(each);
    expect(comparison.kept / comparison.asked).toBeGreaterThan(0.15);
  },
  120_000 * effort,
);
