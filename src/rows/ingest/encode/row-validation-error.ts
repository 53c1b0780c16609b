import { JsonNumber } from '../../../base/text/json-number.ts';

/** The kinds of reasons that a row is refused for: not readable, a value of another type, and so on. */
export const rejectionCauses = [
  'json',
  'type',
  'unknown-field',
  'missing',
  'limit',
  'time',
  'source',
  'forbidden',
  'bigquery',
] as const;

export type RejectionCause = (typeof rejectionCauses)[number];

/** Why a row doesn't fit its source: the error, and the path to the value. */
export class RowValidationError extends Error {
  override readonly name = 'RowValidationError';
  readonly kind: RejectionCause;
  readonly #path: (string | number)[] = [];

  constructor(message: string, kind: RejectionCause = 'type') {
    super(message);
    this.kind = kind;
  }

  /** Prepends a field's name or an element's index to the path to the value. */
  within(step: string | number): this {
    this.#path.unshift(step);
    return this;
  }

  /** Such as `metadata[0].status: expected INT64, got "abc"`. */
  get reason(): string {
    const path = this.#path
      .map((step) => (typeof step === 'number' ? `[${step}]` : `.${shorten(step, maxNameLength)}`))
      .join('')
      .replace(/^\./, '');
    return path === '' ? this.message : `${path}: ${this.message}`;
  }
}

const shownLength = 60;
/** Of a column. Names of fields that aren't known can be longer. */
const maxNameLength = 300;

/** A value as shown in a reason, shortened. */
export function describeValue(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number' || value instanceof JsonNumber) return shorten(String(value));
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  return 'an object';
}

/** The first characters of a text, with an ellipsis if there are more. */
function shorten(text: string, length = shownLength): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;
}
