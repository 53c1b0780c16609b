import type { Failure } from '../../../api/failure.ts';
import type { JsonObject } from '../../../api/json.ts';
import { type LogItem, logRow } from '../rows/log-item.ts';
import { type NewestItems, noItems, withItems } from '../rows/newest-items.ts';
import { Rates } from '../rows/rates.ts';
import type { TailListener } from './tail-follower.ts';
import type { TailStatus } from './tail-status.ts';

/** So many rows are kept, and fewer if they are large. */
export const limits = { items: 10_000, characters: 64_000_000 };

/** What a tail has told. */
export class WatchedRows implements TailListener {
  readonly #onChange: () => void;
  readonly #now: () => number;
  readonly rates = new Rates();
  #items: NewestItems = noItems;
  #number = 0;
  #received = 0;
  #status: TailStatus = { state: 'connecting' };
  #trouble: Failure | undefined;
  #hasBegun = false;

  /** @param onChange called after each change: often */
  constructor(now: () => number, onChange: () => void) {
    this.#now = now;
    this.#onChange = onChange;
  }

  get newest(): NewestItems {
    return this.#items;
  }

  /** How many rows have arrived. */
  get received(): number {
    return this.#received;
  }

  get stream(): TailStatus {
    return this.#status;
  }

  /** Why the last run has failed, if it has. */
  get failedRun(): Failure | undefined {
    return this.#trouble;
  }

  /** Whether the gateway has told the rows that are there. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  status(status: TailStatus): void {
    this.#status = status;
    this.#onChange();
  }

  rows(rows: readonly JsonObject[], characters: number): void {
    const now = this.#now();
    const each = Math.ceil(characters / Math.max(1, rows.length));
    const added = rows.map((row) => logRow(row, this.#next(), each));
    for (const { time, level } of added) this.rates.add(time, level.severity, now);
    this.#received += added.length;
    this.#trouble = undefined;
    this.#hasBegun = true;
    this.#add(added);
  }

  skipped(): void {
    this.#add([{ kind: 'gap', number: this.#next() }]);
  }

  trouble(failure: Failure): void {
    this.#trouble = failure;
    this.#onChange();
  }

  /** Forgets the rows that have arrived. */
  clear(): void {
    this.#items = noItems;
    this.rates.clear();
    this.#onChange();
  }

  #next(): number {
    this.#number += 1;
    return this.#number;
  }

  #add(items: readonly LogItem[]): void {
    this.#items = withItems(this.#items, items, limits);
    this.#onChange();
  }
}
