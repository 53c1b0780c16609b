import { otherFields } from '../../../definitions/sources/source.ts';
import { keyOf, type MutableObject } from '../encode/field-path.ts';
import { isObject } from '../encode/record-members.ts';
import type { RowValidationError } from '../encode/row-validation-error.ts';

/**
 * What an event has and no column takes, in objects as in the event. Elements of a list of several records are members named
 * after their indexes.
 */
export class OtherFields {
  #object: MutableObject = emptyObject();
  #isEmpty = true;
  #given: unknown;
  #firstConflict: string | undefined;
  readonly #indexes = new Map<string, number | undefined>();

  /**
   * Begins with an event.
   *
   * @param event its own member of the column's name is taken out of it
   */
  begin(event: MutableObject): void {
    this.restart();
    const key = keyOf(event, otherFields);
    this.#given = key === undefined ? undefined : event[key];
    if (key !== undefined) event[key] = undefined;
  }

  /** Begins with the same event again. */
  restart(): void {
    if (this.#isEmpty) return;
    this.#object = emptyObject();
    this.#isEmpty = true;
    this.#firstConflict = undefined;
  }

  /** For `Leniency.onElement`. */
  enter(record: readonly string[], index: number | undefined): void {
    // Most lists have one record: their paths need not be made.
    if (index === undefined && this.#indexes.size === 0) return;
    this.#indexes.set(record.join('.'), index);
  }

  /** Takes a value, and perhaps why its field doesn't. */
  put(record: readonly string[], name: string, value: unknown, conflict?: RowValidationError): void {
    this.#firstConflict ??= conflict && [...record, conflict.reason].join('.');
    let object = this.#object;
    for (const [depth, step] of record.entries()) {
      object = within(object, step);
      const index = this.#indexes.get(record.slice(0, depth + 1).join('.'));
      if (index !== undefined) object = within(object, String(index));
    }
    object[name] = value;
    this.#isEmpty = false;
  }

  /** The value of the column. Undefined if there is none. */
  get value(): unknown {
    if (this.#isEmpty) return this.#given ?? undefined;
    if (this.#given === undefined || this.#given === null) return this.#object;
    return { ...this.#object, [otherFields]: this.#given };
  }

  /** The first reason that a field didn't take its value. */
  get conflict(): string | undefined {
    return this.#firstConflict;
  }
}

function within(object: MutableObject, name: string): MutableObject {
  const inner = object[name];
  if (isObject(inner)) return inner;
  const made = emptyObject();
  object[name] = made;
  return made;
}

/** Without a prototype, which a field named `__proto__` would otherwise reach. */
function emptyObject(): MutableObject {
  return Object.create(null);
}
