import type { SharedRows } from '../executor/shown-rows.ts';
import { type KeyedRow, keyBytes } from './sent-rows.ts';
import type { TailCursor } from './tail-cursor.ts';

/** Where a tail is after a batch. */
export type AfterBatch = Pick<TailCursor, 'time' | 'sent'>;

/** A batch without a number. */
type NewBatch = Omit<TailBatch, 'number'>;

/** Rows that arrived together. */
interface TailBatch {
  readonly number: number;
  readonly rows: SharedRows;
  /** What tells each of the rows from others. */
  readonly keys: readonly string[];
  readonly after: AfterBatch;
  /** Whether rows before or among them are left out. */
  readonly isShort: boolean;
}

/** What is kept of a tail for those who join it, or are slow. */
const max = { rows: 10_000, bytes: 8_000_000 };
/** Rows take so many times the bytes of their content (measured). */
const memoryFactor = 2;

/** The last batches of a tail. Their numbers begin at 1. */
export class TailBatches {
  readonly #kept: TailBatch[] = [];
  #rows = 0;
  #bytes = 0;
  #last = 0;

  /** The number of the last batch, 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** The number of the first batch that is kept. */
  get first(): number {
    return this.#last + 1 - this.#kept.length;
  }

  /** Memory of the rows and of what was made of the last ones, in bytes. */
  get bytes(): number {
    return keyBytes * this.#rows + memoryFactor * (this.#bytes + (this.#kept.at(-1)?.rows.rows.bytes ?? 0));
  }

  add(batch: NewBatch): void {
    // Those who watch have their events, but for slow ones.
    this.#kept.at(-1)?.rows.bodies.clear();
    this.#last += 1;
    this.#kept.push({ number: this.#last, ...batch });
    this.#count(batch.rows, 1);
    while (this.#kept.length > 1 && (this.#rows > max.rows || this.#bytes > max.bytes)) {
      this.#drop();
    }
  }

  /** Forgets the batches before the one with the number. */
  dropBefore(number: number): void {
    while (this.#kept.length > 0 && this.first < number) this.#drop();
  }

  /** Forgets all batches. The number of the next one does not follow that of the last one. */
  restart(): void {
    this.dropBefore(this.#last + 1);
    this.#last += 1;
  }

  /** The batch with the number; undefined if it is not there. */
  get(number: number): TailBatch | undefined {
    return this.#kept[number - this.first];
  }

  /** The newest rows, at most so many, oldest first. */
  async newest(count: number): Promise<readonly KeyedRow[]> {
    const parts: (readonly KeyedRow[])[] = [];
    let wanted = count;
    for (const batch of this.#kept.toReversed()) {
      if (wanted <= 0) break;
      const rows = (await keyedRows(batch)).slice(-wanted);
      wanted -= rows.length;
      parts.push(rows);
    }
    return parts.reverse().flat();
  }

  /** The keys of the rows of the batches after the one with the number, as far as they are kept. */
  keysAfter(number: number): readonly string[] {
    return this.#kept.filter((batch) => batch.number > number).flatMap(({ keys }) => keys);
  }

  #drop(): void {
    const gone = this.#kept.shift();
    if (gone === undefined) return;
    gone.rows.bodies.clear();
    this.#count(gone.rows, -1);
  }

  #count({ rows: { count, bytes } }: SharedRows, sign: 1 | -1): void {
    this.#rows += sign * count;
    this.#bytes += sign * bytes;
  }
}

/** The rows of a batch, with their keys. */
export async function keyedRows({
  rows,
  keys,
}: Pick<TailBatch, 'rows' | 'keys'>): Promise<readonly KeyedRow[]> {
  return (await rows.rows.all()).map((row, i) => ({ row, key: keys[i] ?? '' }));
}
