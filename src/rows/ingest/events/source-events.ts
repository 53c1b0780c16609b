import { DigitsNeeded } from '../../../base/text/json-number.ts';
import type { NewFields } from '../../../definitions/sources/added-fields.ts';
import { idColumn } from '../../../definitions/sources/row-key.ts';
import {
  conflictsOf,
  otherFields,
  type Source,
  type UnknownFields,
} from '../../../definitions/sources/source.ts';
import { type IngestPart, partLength, partRows } from '../../../engines/duckdb/store/insert/ingest-batch.ts';
import { madeIdKey, placeKey } from '../../../engines/duckdb/store/insert/row-batch.ts';
import { rangesOfTimes } from '../../../engines/duckdb/store/insert/time-ranges.ts';
import { notUtf8 } from '../body/lines.ts';
import type { AcceptedTimes } from '../encode/accepted-times.ts';
import type { MutableObject } from '../encode/field-path.ts';
import { FlatColumns } from '../encode/flat-columns.ts';
import type { Leniency } from '../encode/leniency.ts';
import { quote } from '../encode/quote.ts';
import { recordEncoder } from '../encode/record-encoder.ts';
import { isObject } from '../encode/record-members.ts';
import { neededColumns, needsExactRows, withRow } from '../encode/row-encoder.ts';
import { describeValue, type RejectionCause, RowValidationError } from '../encode/row-validation-error.ts';
import type { Encoder } from '../encode/scalar-encoder.ts';
import { storedJson } from '../encode/stored-json.ts';
import { AddedFields, type NewFieldLimits } from './added-fields.ts';
import type { BodyEvent } from './body-events.ts';
import type { EventIds } from './event-ids.ts';
import { EventNormaliser, type NormalisedEvent } from './event-normaliser.ts';
import type { EventShape } from './event-request.ts';
import { inShapeOfRow } from './event-shape.ts';
import { OtherFields } from './other-fields.ts';
import type { SourceConflicts, SourceRows } from './parsed-events.ts';

/** Why an event isn't stored. */
export interface Refusal {
  readonly reason: string;
  readonly cause: RejectionCause;
}

/** What the events of a body have in common. */
export interface EventOrigin {
  /** Microseconds since 1970. */
  readonly receivedAt: bigint;
  readonly times: AcceptedTimes;
  readonly shape: EventShape;
  readonly ids: EventIds;
  /** Whether rows are never flat. */
  readonly isWhole: boolean;
  /** How many fields of the body have been added already. */
  readonly addedFields?: number | undefined;
  /** The member of the event that named its source, if one did. */
  readonly sourceMember?: string | undefined;
}

/** Collects the events of one source as rows. It can be used for one body after the other. */
export class SourceEvents {
  readonly #source: string;
  readonly #normaliser: EventNormaliser;
  readonly #flat: FlatColumns;
  readonly #encodeWhole: Encoder;
  readonly #isExact: boolean;
  readonly #hasId: boolean;
  readonly #added: AddedFields;
  readonly #others = new OtherFields();
  readonly #unknownFields: UnknownFields;
  readonly #takesConflicts: boolean;
  readonly #hasOthers: boolean;
  #conflicts = 0;
  #firstConflict = '';
  readonly #whole = new WholeTexts();
  readonly #flatFormerIds = new FormerIds();
  #parts: IngestPart[] = [];
  #times: bigint[] = [];
  #count = 0;
  #minTimestamp = 0n;
  #maxTimestamp = 0n;
  #madeTimes = false;

  constructor(source: Source, limits: NewFieldLimits) {
    this.#source = source.name;
    this.#unknownFields = source.unknownFields;
    this.#takesConflicts = conflictsOf(source) === 'json';
    this.#hasOthers = source.columns.some(({ name }) => name.toLowerCase() === otherFields);
    this.#normaliser = new EventNormaliser(source);
    this.#added = new AddedFields(source.columns, limits, this.#takesConflicts && !this.#hasOthers ? 1 : 0);
    const columns = neededColumns(source);
    const leniency: Leniency = {
      onUnknownField: (record, name, value) => this.#onUnknownField(record, name, value),
      onConflict: (record, { isAdded, mode }, name, value, error) => {
        // By default, the types that the source's own file declares hold.
        if (mode === 'REQUIRED' || (source.conflicts === undefined && isAdded !== true)) throw error;
        this.#putConflict(record, name, value, error);
      },
      onElement: (record, index) => this.#others.enter(record, index),
      takeOthers: this.#keepsOthers ? () => this.#others.value : undefined,
    };
    this.#flat = new FlatColumns(columns, leniency);
    this.#encodeWhole = recordEncoder(columns, leniency);
    this.#isExact = needsExactRows(columns);
    this.#hasId = idColumn(source) !== undefined;
  }

  /** Adds an event in JSON. Returns why it doesn't fit. */
  addJson({ number, text, fault, parsed }: BodyEvent, origin: EventOrigin): Refusal | undefined {
    return refusalOf(() => {
      if (fault !== undefined) throw new RowValidationError(fault, fault === notUtf8 ? 'json' : 'limit');
      if (this.#isExact || parsed === undefined || !this.#addParsed(parsed, number, origin))
        this.#addText(text(), number, origin);
    });
  }

  /**
   * Adds an event whose numbers are `JsonNumber`s, and changes it. Throws `RowValidationError` if it doesn't fit.
   *
   * @param number its number in its body
   */
  addValue(event: MutableObject, number: number, origin: EventOrigin): void {
    this.#add(event, { ...origin, hasEscapes: true, number });
  }

  /** The rows since the last call. Undefined if there are none. */
  takeRows(): SourceRows | undefined {
    this.#endFlat();
    this.#endWhole();
    const times = BigInt64Array.from(this.#times);
    const rows = {
      source: this.#source,
      parts: this.#parts,
      count: this.#count,
      minTimestamp: this.#minTimestamp,
      maxTimestamp: this.#maxTimestamp,
      ranges: rangesOfTimes(times, this.#madeTimes),
    };
    this.#parts = [];
    this.#times = [];
    this.#count = 0;
    this.#madeTimes = false;
    return rows.count === 0 ? undefined : rows;
  }

  /** The fields that the events since the last call add to the source. Undefined if there are none. */
  takeFields(): NewFields | undefined {
    const fields = this.#added.take();
    return fields.length === 0 ? undefined : { source: this.#source, fields };
  }

  /** The values since the last call that their fields didn't take. Undefined if there are none. */
  takeConflicts(): SourceConflicts | undefined {
    const [count, first] = [this.#conflicts, this.#firstConflict];
    this.#conflicts = 0;
    return count === 0 ? undefined : { source: this.#source, count, first };
  }

  /** Whether that was possible without the digits of its numbers. */
  #addParsed(
    { value, hasEscapes }: NonNullable<BodyEvent['parsed']>,
    number: number,
    origin: EventOrigin,
  ): boolean {
    try {
      this.#add(asObject(value), { ...origin, hasEscapes, number });
      return true;
    } catch (error) {
      if (error instanceof DigitsNeeded) return false;
      throw error;
    }
  }

  #addText(text: string, number: number, origin: EventOrigin): void {
    const hasEscapes = text.includes('\\u');
    const add = (value: unknown) => this.#add(asObject(value), { ...origin, hasEscapes, number });
    withRow(text, add, this.#isExact);
  }

  #add(
    event: MutableObject,
    context: EventOrigin & { readonly hasEscapes: boolean; readonly number: number },
  ): void {
    const { shape, isWhole, hasEscapes, sourceMember, addedFields = 0 } = context;
    this.#added.begin(addedFields);
    if (sourceMember !== undefined) delete event[sourceMember];
    const row = inShapeOfRow(event, shape);
    const normalised = this.#normaliser.normalise(row, context);
    const place = this.#count + 1;
    if (this.#keepsOthers) this.#others.begin(row);
    const isFlat = !isWhole && this.#flat.add(row, place, hasEscapes);
    if (isFlat) this.#flatFormerIds.add(normalised.formerId);
    else {
      this.#added.rollback();
      this.#others.restart();
      const members = this.#encodeWhole(row).slice(1, -1);
      const madeId = this.#hasId || !isWhole ? '' : `"${madeIdKey}":${quote(normalised.id)},`;
      this.#whole.add(`{"${placeKey}":${place},${madeId}${members}}`, normalised);
    }
    this.#noteOthers();
    this.#added.commit();
    this.#count = place;
    this.#note(normalised);
    if (this.#flat.rows >= partRows || this.#flat.length >= partLength) this.#endFlat();
    if (this.#whole.rows >= partRows || this.#whole.length >= partLength) this.#endWhole();
  }

  #endFlat(): void {
    const flat = this.#flat.take();
    if (flat === undefined) return;
    this.#parts.push({ ...flat, ...this.#flatFormerIds.take() });
  }

  #endWhole(): void {
    if (this.#whole.rows > 0) this.#parts.push(this.#whole.take());
  }

  #note({ time: { micros }, isTimeMade }: NormalisedEvent): void {
    if (this.#count === 1 || micros < this.#minTimestamp) this.#minTimestamp = micros;
    if (this.#count === 1 || micros > this.#maxTimestamp) this.#maxTimestamp = micros;
    if (isTimeMade) this.#madeTimes = true;
    this.#times.push(micros);
  }

  /** Whether the source takes what no column does. */
  get #keepsOthers(): boolean {
    return this.#takesConflicts || this.#unknownFields === 'json';
  }

  #noteOthers(): void {
    if (!this.#keepsOthers) return;
    const { value, conflict } = this.#others;
    if (value !== undefined && !this.#hasOthers) this.#added.addJson(otherFields);
    if (conflict === undefined) return;
    if (this.#conflicts === 0) this.#firstConflict = conflict;
    this.#conflicts += 1;
  }

  #onUnknownField(record: readonly string[], name: string, value: unknown): void {
    if (this.#unknownFields === 'ignore') return;
    if (this.#unknownFields === 'json') {
      this.#others.put(record, name, value);
      return;
    }
    if (this.#unknownFields === 'reject')
      throw new RowValidationError('unknown field', 'unknown-field').within(name);
    try {
      this.#added.add(record, name, value);
    } catch (error) {
      if (!(error instanceof RowValidationError)) throw error;
      this.#putConflict(record, name, value, error.within(name));
    }
  }

  #putConflict(record: readonly string[], name: string, value: unknown, error: RowValidationError): void {
    if (!this.#takesConflicts || !isJson(value)) throw error;
    this.#others.put(record, name, value, error);
  }
}

/** The former ids of a part's rows. */
class FormerIds {
  #ids: string[] = [];
  #hasSome = false;

  add(id: string | undefined): void {
    this.#ids.push(id ?? '');
    if (id !== undefined) this.#hasSome = true;
  }

  take(): Pick<IngestPart, 'formerIds'> {
    const [ids, hasSome] = [this.#ids, this.#hasSome];
    this.#ids = [];
    this.#hasSome = false;
    return hasSome ? { formerIds: ids.join('\n') } : {};
  }
}

/** Collects the rows of a part that have no flat form. */
class WholeTexts {
  readonly #formerIds = new FormerIds();
  #texts: string[] = [];
  #ids: string[] = [];
  /** Characters of the texts. */
  length = 0;

  get rows(): number {
    return this.#texts.length;
  }

  add(text: string, { id, formerId }: NormalisedEvent): void {
    this.#texts.push(text);
    this.#ids.push(id);
    this.#formerIds.add(formerId);
    this.length += text.length;
  }

  take(): IngestPart {
    const [texts, ids] = [this.#texts, this.#ids];
    [this.#texts, this.#ids, this.length] = [[], [], 0];
    return { rows: texts.length, ids, text: texts.join('\n'), ...this.#formerIds.take() };
  }
}

/** Whether a column of type JSON takes a value. */
function isJson(value: unknown): boolean {
  return refusalOf(() => storedJson(value)) === undefined;
}

function asObject(value: unknown): MutableObject {
  if (isObject(value)) return value;
  throw new RowValidationError(`expected an object, got ${describeValue(value)}`);
}

/** Why a task refuses an event: its `RowValidationError`. */
export function refusalOf(task: () => void): Refusal | undefined {
  try {
    task();
    return undefined;
  } catch (error) {
    if (!(error instanceof RowValidationError)) throw error;
    return { reason: error.reason, cause: error.kind };
  }
}
