import type { Source } from '../../../definitions/sources/source.ts';
import { keyOf, type MutableObject } from '../encode/field-path.ts';
import { MessageField } from '../encode/message-field.ts';
import { Renamings } from '../encode/renamings.ts';
import { RowIds } from '../encode/row-ids.ts';
import { TimeField } from '../encode/time-field.ts';
import { FinerTimes } from './finer-times.ts';
import type { MadeIds } from './made-ids.ts';
import { ZonedTimes } from './zoned-times.ts';

/**
 * Makes a row of a file or an upload what its source has, as events are made: renames fields, and finds the time, the id and the
 * message.
 */
export class RowPreparation {
  readonly #renamings: Renamings | undefined;
  readonly #time: TimeField;
  readonly #message: MessageField;
  readonly #ids: RowIds;
  readonly #madeIds: MadeIds | undefined;
  readonly #finer: FinerTimes;
  readonly #zoned: ZonedTimes | undefined;

  /**
   * @param ids makes those of events that have none; by default, they stay missing
   * @param zone of times without an offset from UTC; UTC by default
   */
  constructor(source: Source, ids?: MadeIds, zone?: string) {
    this.#finer = new FinerTimes(source.columns);
    this.#zoned = zone === undefined ? undefined : new ZonedTimes(source.columns, zone);
    this.#renamings = source.rename.length === 0 ? undefined : new Renamings(source);
    this.#time = new TimeField(source);
    this.#message = new MessageField(source);
    this.#ids = new RowIds(source);
    this.#madeIds = ids;
  }

  /**
   * Changes a row.
   *
   * @param number the row's line in its file
   * @param text the row as it was read
   * @throws RowValidationError for fields that can't be renamed, and for a row of a reference table without its id; DigitsNeeded
   */
  prepare(row: MutableObject, number: number, text: string): void {
    this.#renamings?.apply(row);
    this.#takeTime(row);
    this.#message.take(row);
    this.#finer.look(row);
    this.#zoned?.apply(row);
    this.#ids.normalise(row);
    const ids = this.#madeIds;
    this.#ids.fill(row, ids && (() => ids.id(number, text)));
  }

  /** Whether a time is finer than a microsecond. */
  get hasFinerTimes(): boolean {
    return this.#finer.isFound;
  }

  #takeTime(row: MutableObject): void {
    const { column, paths } = this.#time;
    if (column === undefined) return;
    const key = keyOf(row, column) ?? column;
    const isThere = row[key] !== null && row[key] !== undefined;
    if (isThere && paths[0]?.toLowerCase() === column.toLowerCase()) return;
    const found = this.#time.take(row);
    if (found !== undefined) row[key] = found.value;
  }
}
