import { LRUCache } from 'lru-cache';
import { joinedSpans, type Spans } from '../../../base/forms/spans.ts';
import type { Changing } from '../store/transactions/changing-rows.ts';
import { allTimes } from './slice-plan.ts';
import { type Level, SliceSet, type SliceTable } from './slice-set.ts';

/** Aggregations whose slices were made and not read so often are not sliced for a while. */
const maxTrials = 8;
const retryMs = 600_000;

/** How often slices of a plan's aggregation were made and read. */
interface Trial {
  made: number;
  used: number;
  /** Until when it isn't sliced. */
  until: number;
}

interface SliceSetsOptions {
  /** The most bytes of all slices together. */
  readonly maxBytes: number;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  readonly drop: (table: SliceTable) => void;
}

/** Runs of an aggregation with the same values. */
interface KnownRuns {
  readonly count: number;
  /** About how long they take without slices, in milliseconds; 0 if that isn't known. */
  readonly ms: number;
}

/** The characters of the keys whose runs are counted. */
const countedLength = 4_000_000;

/** All slices, within a budget of memory. Those that were used least recently leave first. */
export class SliceSets {
  readonly #options: SliceSetsOptions;
  readonly #sets: LRUCache<string, SliceSet>;
  #added = 0;
  readonly #trials = new LRUCache<string, Trial>({ max: 10_000 });
  readonly #runs = new LRUCache<string, KnownRuns>({
    maxSize: countedLength,
    sizeCalculation: (_, key) => key.length + 1,
  });

  constructor(options: SliceSetsOptions) {
    this.#options = options;
    this.#sets = new LRUCache({
      maxSize: Math.max(1, options.maxBytes),
      sizeCalculation: sizeOf,
      dispose: (set, _, reason) => {
        if (reason === 'evict') set.remove([allTimes]);
      },
    });
  }

  /** The number of bytes of all slices. */
  get bytes(): number {
    return this.#sets.calculatedSize;
  }

  /** How many tables were added so far. */
  get added(): number {
    return this.#added;
  }

  /** The slices of an aggregation. They are kept from the first ones on. */
  of(key: string, source: string, shift: number): SliceSet {
    return this.#sets.get(key) ?? new SliceSet(key, source, shift, this.#options.drop);
  }

  /** The slices of an aggregation, if there are any. */
  find(key: string): SliceSet | undefined {
    return this.#sets.get(key);
  }

  /** Counts a run that reads an aggregation. Returns what is known of those lately. */
  countRun(key: string): KnownRuns {
    const before = this.#runs.get(key);
    const known = { count: (before?.count ?? 0) + 1, ms: before?.ms ?? 0 };
    this.#runs.set(key, known);
    return known;
  }

  /** Notes how long a run without slices took, in milliseconds. */
  took(key: string, ms: number): void {
    const before = this.#runs.get(key);
    if (before === undefined) return;
    this.#runs.set(key, { ...before, ms: before.ms === 0 ? ms : (before.ms + ms) / 2 });
  }

  /**
   * Adds slices, unless they are too many for the budget.
   *
   * @param changed times whose rows have changed since: their slices are not added
   * @returns whether they fit
   */
  add(set: SliceSet, table: SliceTable, levels: readonly Level[], changed: Spans): boolean {
    set.add(table, levels, this.#added++);
    set.remove(changed);
    // The cache measures a value when it is new only.
    this.#sets.delete(set.key);
    if (sizeOf(set) * maxShare > this.#options.maxBytes) {
      set.remove([allTimes]);
      return false;
    }
    this.#sets.set(set.key, set);
    return true;
  }

  /** Forgets slices with changed rows. */
  changed(changes: readonly Changing[]): void {
    for (const { source, spans } of changes) {
      for (const set of this.#sets.values()) {
        if (set.source !== source) continue;
        set.remove(joinedSpans(spans ?? [allTimes]));
      }
    }
  }

  /**
   * Whether making slices of an aggregation pays.
   *
   * @param plan identifies the aggregation for all values
   */
  pays(plan: string): boolean {
    const trial = this.#trials.get(plan);
    return trial === undefined || trial.until <= this.#options.elapsed();
  }

  /** Notes that slices were made. */
  made(plan: string): void {
    const trial = this.#trialOf(plan);
    trial.made += 1;
    if (trial.made >= maxTrials && trial.used < trial.made / 2) this.dearer(plan);
  }

  /** Notes that a run has read kept slices. */
  used(plan: string): void {
    this.#trialOf(plan).used += 1;
  }

  /** Notes that slices of an aggregation have about as many groups as rows, or don't fit. */
  dearer(plan: string): void {
    const until = this.#options.elapsed() + retryMs;
    this.#trials.set(plan, { made: 0, used: 0, until });
  }

  #trialOf(plan: string): Trial {
    const trial = this.#trials.get(plan) ?? { made: 0, used: 0, until: 0 };
    this.#trials.set(plan, trial);
    return trial;
  }
}

/** Of the budget, one aggregation gets at most this part. */
const maxShare = 4;
/** Bytes of a set besides its slices (estimated). */
const setBytes = 1_000;

function sizeOf({ key, bytes }: SliceSet): number {
  return setBytes + 2 * key.length + bytes;
}
