import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RunQueue } from '../../src/executor/run-queue.ts';
import { settled } from './support/manual-clock.ts';

/** What may happen to two queues, of which those that are over in the first go to the second. */
type Event =
  | { readonly kind: 'chain' }
  | { readonly kind: 'direct'; readonly urgent: boolean }
  | { readonly kind: 'finish' | 'leave' | 'lose'; readonly which: number };

const which = fc.nat(30);
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constant('chain' as const) }),
  fc.record({ kind: fc.constant('direct' as const), urgent: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('finish' as const, 'finish' as const, 'leave' as const), which }),
  fc.record({ kind: fc.constant('lose' as const), which }),
);

type Stage = 'waits to be planned' | 'is planned' | 'waits for the engine' | 'runs' | 'over';

/** A run, as the model knows it. */
class Run {
  stage: Stage;
  isUrgent: boolean;
  readonly since: number;
  readonly leaving = new AbortController();
  finish: () => void = () => {};
  outcome = 'none';
  mustBeRefused = false;

  constructor(stage: Stage, since: number, isUrgent: boolean) {
    this.stage = stage;
    this.since = since;
    this.isUrgent = isUrgent;
  }

  work(stage: Stage): Promise<void> {
    this.stage = stage;
    return new Promise((resolve) => {
      this.finish = resolve;
    });
  }
}

class World {
  readonly runs: Run[] = [];
  readonly started: Run[] = [];
  readonly engine: RunQueue;
  readonly planning: RunQueue;
  readonly #max: { planning: number; engine: number; waiting: number };
  #now = 0;
  /** Whether one in the engine's queue has become less urgent, which nobody is told before a turn is over there. */
  #hasLost = false;

  constructor(max: { planning: number; engine: number; waiting: number }) {
    const clock = { elapsed: () => this.#now };
    this.#max = max;
    this.engine = new RunQueue({ maxRunning: max.engine, maxWaiting: max.waiting }, clock);
    this.planning = new RunQueue(
      { maxRunning: max.planning, maxWaiting: max.waiting, next: this.engine },
      clock,
    );
  }

  at(stage: Stage): Run[] {
    return this.runs.filter((run) => run.stage === stage);
  }

  async happen(event: Event): Promise<void> {
    this.#now++;
    if (event.kind === 'chain') this.#begin(new Run('waits to be planned', this.#now, true));
    else if (event.kind === 'direct') this.#begin(new Run('waits for the engine', this.#now, event.urgent));
    else {
      const open = this.runs.filter(({ stage }) => stage !== 'over');
      const run = open[event.which % Math.max(1, open.length)];
      if (event.kind === 'finish') run?.finish();
      else if (event.kind === 'leave') run?.leaving.abort(new Error('left'));
      else if (run?.stage === 'waits for the engine') {
        run.isUrgent = false;
        this.#hasLost = true;
      }
    }
    await settled();
  }

  #begin(run: Run): void {
    const isChained = run.stage === 'waits to be planned';
    const hasRoomToBePlanned = !isChained || this.planning.room > 0;
    const { room } = this.engine;
    const mayDisplace = run.isUrgent && this.at('waits for the engine').some((other) => !other.isUrgent);
    this.runs.push(run);
    const { signal } = run.leaving;
    const toEngine = async () => {
      run.stage = 'waits for the engine';
      await this.engine.run(
        () => run.isUrgent,
        signal,
        () => {
          this.started.push(run);
          return run.work('runs').finally(() => {
            this.#hasLost = false;
          });
        },
        run.since,
        isChained,
      );
    };
    const way = async () => {
      if (isChained) {
        using _place = this.engine.keepPlace();
        await this.planning.run(
          () => true,
          signal,
          async () => {
            const work = run.work('is planned');
            // Who was given a turn just before begins in a moment, too.
            await settled();
            // The one that has waited for longest.
            expect(this.at('waits to be planned').filter(({ since }) => since < run.since)).toEqual([]);
            return work;
          },
          run.since,
        );
      }
      await toEngine();
    };
    way()
      .then(
        () => 'done',
        (error: Error & { code?: string }) => error.code ?? error.message,
      )
      .then((outcome) => {
        run.outcome = outcome;
        run.stage = 'over';
      });
    run.mustBeRefused = !hasRoomToBePlanned || (room <= 0 && !mayDisplace);
  }

  check(): void {
    const { planning, engine, waiting } = this.#max;
    const [waitToBePlanned, planned, waitForEngine, running] = [
      this.at('waits to be planned'),
      this.at('is planned'),
      this.at('waits for the engine'),
      this.at('runs'),
    ];
    expect(planned.length).toBeLessThanOrEqual(planning);
    expect(running.length).toBeLessThanOrEqual(engine);
    expect(waitForEngine.length).toBeLessThanOrEqual(waiting);
    const inPlanning = planned.length + waitToBePlanned.length;
    expect(this.planning.room).toBe(planning + waiting - inPlanning);
    // Each that is to be planned, or is, has a place kept.
    expect(this.engine.room).toBe(engine + waiting - running.length - waitForEngine.length - inPlanning);
    // Nobody waits while there is a turn to give.
    if (waitForEngine.length > 0) expect(running.length).toBe(engine);
    const inFrontOf = (run: Run) =>
      waitForEngine.filter((other) => other.isUrgent && other.since <= run.since).length;
    const [first] = waitToBePlanned;
    if (first !== undefined && planned.length < planning && !this.#hasLost) {
      expect(inFrontOf(first)).toBeGreaterThanOrEqual(engine);
    }
  }
}

const sizes = fc.record({
  planning: fc.integer({ min: 1, max: 3 }),
  engine: fc.integer({ min: 1, max: 4 }),
  waiting: fc.integer({ min: 0, max: 8 }),
});

test('two queues, one behind the other, give every turn that there is, and to nobody else', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.array(event, { maxLength: 60 }), async (max, events) => {
      const world = new World(max);
      for (const event of events) {
        const waiting = world.at('waits for the engine').filter(({ isUrgent }) => isUrgent);
        const before = world.started.length;
        await world.happen(event);
        world.check();
        // Those first who have waited for longest.
        for (const run of world.started.slice(before)) {
          if (!waiting.includes(run)) continue;
          const passed = waiting.filter(
            (other) => other.stage === 'waits for the engine' && other.isUrgent && other.since < run.since,
          );
          expect(passed).toEqual([]);
        }
      }
      for (let round = 0; round < 300 && world.runs.some(({ stage }) => stage !== 'over'); round++) {
        for (const run of world.runs) run.finish();
        await settled();
        world.check();
      }
      expect(world.runs.map(({ stage }) => stage).filter((stage) => stage !== 'over')).toEqual([]);
      const outcomes = new Set(world.runs.map(({ outcome }) => outcome));
      expect([...outcomes].filter((outcome) => !['done', 'left', 'OVERLOADED'].includes(outcome))).toEqual(
        [],
      );
      for (const { mustBeRefused, outcome } of world.runs)
        if (mustBeRefused) expect(outcome).toBe('OVERLOADED');
      expect(world.planning.isBusy).toBe(false);
    }),
    {
      numRuns: 300,
      examples: [
        [
          { planning: 2, engine: 1, waiting: 2 },
          [
            { kind: 'direct', urgent: false },
            { kind: 'chain' },
            { kind: 'finish', which: 3 },
            { kind: 'chain' },
            { kind: 'lose', which: 4 },
            { kind: 'chain' },
          ],
        ],
        [
          { planning: 1, engine: 1, waiting: 8 },
          [
            { kind: 'direct', urgent: true },
            { kind: 'direct', urgent: true },
            { kind: 'chain' },
            { kind: 'lose', which: 1 },
            { kind: 'chain' },
          ],
        ],
      ],
    },
  );
}, 60_000);
