import { JsonNumber } from '../../../base/text/json-number.ts';
import { isExact } from '../../../engines/duckdb/udf/json/number-text.ts';
import { parseDate, parseTime } from '../../../sql/values/civil-text.ts';
import { parseDecimal } from '../../../sql/values/decimal-text.ts';
import { datetimeTextOfMicros } from '../../../sql/values/value-text.ts';
import { microsOfRowNumber } from '../encode/time-of-number.ts';
import { hasNoOffset, microsOfText } from '../encode/time-of-text.ts';

import { TextForms } from './text-forms.ts';

/** What a scalar value can be. All but the first four are texts. */
type ScalarKind = 'bool' | 'integer' | 'long' | 'number' | 'date' | 'time' | 'moment' | 'decimal' | 'text';

/** A type as its values tell, and what else they tell. */
export interface ScalarProposal {
  /** Undefined if no scalar type has all values. */
  readonly type: string | undefined;
  /** Sentences. */
  readonly facts: readonly string[];
  /** What a person should know besides. */
  readonly note?: string;
}

const [minInt64, maxInt64] = [-(2n ** 63n), 2n ** 63n - 1n];
/** Digits of NUMERIC before and after the point. */
const [maxWholeDigits, maxDecimals] = [29, 9];
/** Digits of BIGNUMERIC before the point, and after it. */
const maxLongDigits = 38;
/** The maximum number of values that are listed, their length, and how many values a field must have for that. */
const [maxListed, maxListedLength, minForList] = [6, 40, 20];

/** Values of a field that are compared with each other. */
const maxCompared = 100_000;

const money =
  /(?:^|_|\b)(?:amount|balance|charge|commission|cost|credit|debit|discount|fare|fee|fees|gross|income|net|pay|payment|payout|price|profit|refund|revenue|salary|shipping|subtotal|tax|tip|total|turnover|vat|wage)s?(?:_|$|\b)/;

const timeName =
  /(?:^|[_.@])(?:at|date|time|timestamp|ts|when|created|updated|modified|epoch)$|(?:time|timestamp)$/;

/** The scalar values of a field. */
export class SeenScalars {
  readonly #kinds = new Set<ScalarKind>();
  #count = 0;
  /** Of fractions. */
  #decimals = 0;
  /** Whether each fraction was written with two decimals, and one of them with a zero at its end. */
  #hasTwoDecimals = true;
  #hasTrailingZero = false;
  /** Whether FLOAT64 has another value than some number, and the most digits before and after the point. */
  #isRounded = false;
  #wholeDigits = 0;
  #fractionDigits = 0;
  readonly #digits = new Set<number>();
  #min: number | string | undefined;
  #max: number | string | undefined;
  #hasNoOffset = false;
  readonly #forms = new TextForms();
  #listed: Set<string> | undefined = new Set();
  /** The first values, until one occurs again. */
  #distinct: Set<unknown> | undefined = new Set();

  get count(): number {
    return this.#count;
  }

  /** Whether none of the first values was there twice. */
  get isDistinct(): boolean {
    return this.#distinct !== undefined && this.#count > 0;
  }

  add(value: unknown): void {
    this.#count += 1;
    if (this.#distinct !== undefined) this.#compare(value instanceof JsonNumber ? value.text : value);
    if (typeof value === 'string') this.#addText(value);
    else if (typeof value === 'boolean') this.#kinds.add('bool');
    else if (value instanceof JsonNumber) this.#addNumber(value.text, !isExactly(value.text));
    else this.#addNumber(String(value), mayBeRounded(Number(value)));
  }

  /** The first and the last time, in microseconds since 1970, if the values are times. */
  get times(): readonly [bigint, bigint] | undefined {
    const micros = (value: number | string | undefined) =>
      typeof value === 'number' ? microsOfRowNumber(String(value)) : microsOfText(value ?? '');
    const [min, max] = [micros(this.#min), micros(this.#max)];
    return min === undefined || max === undefined ? undefined : [min, max];
  }

  #compare(value: unknown): void {
    const known = this.#distinct?.size ?? 0;
    if (known >= maxCompared) return;
    this.#distinct?.add(value);
    if (this.#distinct?.size === known) this.#distinct = undefined;
  }

  /** @param isRounded whether FLOAT64 has another value */
  #addNumber(text: string, isRounded: boolean): void {
    const value = Number(text);
    this.#range(value);
    if (isRounded) this.#isRounded = true;
    const point = text.indexOf('.');
    if (this.#digits.size < maxListed) this.#digits.add(value < 0 ? 0 : point === -1 ? text.length : point);
    if (/^-?\d+$/.test(text)) {
      if (text.length > maxLongDigits) this.#seeDigits(text);
      else if (text.length > this.#wholeDigits) this.#wholeDigits = text.length - (value < 0 ? 1 : 0);
      if (text.length < 19) this.#kinds.add('integer');
      else {
        const whole = BigInt(text);
        this.#kinds.add(whole >= minInt64 && whole <= maxInt64 ? 'integer' : 'long');
        if (text.replace('-', '').length > maxWholeDigits) this.#decimals = Infinity;
      }
      return;
    }
    this.#kinds.add('number');
    this.#fraction(text);
  }

  #seeDigits(text: string): void {
    const { whole, fraction } = digitsOf(text);
    this.#wholeDigits = Math.max(this.#wholeDigits, whole);
    this.#fractionDigits = Math.max(this.#fractionDigits, fraction);
  }

  #fraction(text: string): void {
    const [, whole = '', decimals = ''] = /^-?(\d+)\.(\d+)$/.exec(text) ?? [];
    if (decimals === '' || whole.length > maxLongDigits) this.#seeDigits(text);
    else {
      if (whole.length > this.#wholeDigits) this.#wholeDigits = whole.length;
      if (decimals.length > this.#fractionDigits) this.#fractionDigits = decimals.length;
    }
    if (decimals === '' || whole.length > maxWholeDigits) this.#decimals = Infinity;
    this.#decimals = Math.max(this.#decimals, decimals.length);
    if (decimals.length !== 2) this.#hasTwoDecimals = false;
    if (decimals.endsWith('0')) this.#hasTrailingZero = true;
  }

  #addText(text: string): void {
    this.#forms.add(text);
    if (this.#listed !== undefined) {
      this.#listed.add(text);
      if (this.#listed.size > maxListed || text.length > maxListedLength) this.#listed = undefined;
    }
    if (this.#kinds.has('text')) return;
    const kind = kindOfText(text);
    this.#kinds.add(kind);
    if (kind === 'decimal') this.#fraction(text);
    if (kind === 'moment' || kind === 'date') {
      if (kind === 'moment' && hasNoOffset(text)) this.#hasNoOffset = true;
      const micros = microsOfText(text);
      if (micros !== undefined) this.#range(datetimeTextOfMicros(micros));
    }
  }

  #range(value: number | string): void {
    if (this.#min === undefined || value < this.#min) this.#min = value;
    if (this.#max === undefined || value > this.#max) this.#max = value;
  }

  /**
   * @param name of the field
   * @param hasTextsOnly whether all scalars were texts in the file, so that a text column takes each of them
   */
  propose(name: string, hasTextsOnly: boolean): ScalarProposal {
    const all = (...kinds: readonly ScalarKind[]) => [...this.#kinds].every((kind) => kinds.includes(kind));
    const range = `From ${this.#min} to ${this.#max}.`;
    if (this.#kinds.size === 0)
      return { type: 'STRING', facts: ['No row has a value: its type can’t be told.'] };
    if (all('bool')) return { type: 'BOOL', facts: [] };
    if (all('integer', 'number', 'moment', 'date') && !all('moment', 'date') && this.#areCounts(name))
      return { type: 'TIMESTAMP', facts: this.#counts(range) };
    if (all('integer') && this.#areDays(name))
      return {
        type: 'INT64',
        facts: [range, 'Days as numbers, it seems: DATE takes texts such as 2026-01-31.'],
      };
    if (all('integer')) return { type: 'INT64', facts: [range] };
    if (all('integer', 'long') && this.#decimals <= maxDecimals)
      return { type: 'NUMERIC', facts: ['Some values are beyond INT64.'] };
    if (all('integer', 'long', 'number') && this.#isRounded) return this.#exact();
    if (all('integer', 'long', 'number')) return { type: this.#fractionType(name), facts: [range] };
    if (all('decimal') && money.test(snakeCase(name)) && this.#decimals <= maxDecimals)
      return { type: 'NUMERIC', facts: [] };
    if (all('date')) return { type: 'DATE', facts: [`From ${day(this.#min)} to ${day(this.#max)}.`] };
    if (all('time')) return { type: 'TIME', facts: [] };
    if (all('moment', 'date')) {
      const zone = this.#hasNoOffset
        ? ['Without an offset from UTC: read as UTC, unless --zone says another zone.']
        : [];
      return { type: 'TIMESTAMP', facts: [`From ${this.#min} to ${this.#max}, UTC.`, ...zone] };
    }
    if (!hasTextsOnly && !all('date', 'time', 'moment', 'decimal', 'text'))
      return { type: undefined, facts: [] };
    const form = this.#forms.fact(this.#count);
    const list = all('date', 'time', 'moment', 'decimal', 'text') ? this.#list() : [];
    if (form === undefined) return { type: 'STRING', facts: list };
    return { type: 'STRING', facts: [...list, capital(form)], note: form.replace(/\.$/, '') };
  }

  /** A type that has all digits of the numbers. */
  #exact(): ScalarProposal {
    const facts = ['Some values have more digits than FLOAT64.'];
    const [whole, fraction] = [this.#wholeDigits, this.#fractionDigits];
    if (whole <= maxWholeDigits && fraction <= maxDecimals) return { type: 'NUMERIC', facts };
    if (whole <= maxLongDigits && fraction <= maxLongDigits) return { type: 'BIGNUMERIC', facts };
    const text = 'some values have more digits than any type of numbers';
    return {
      type: 'STRING',
      facts: [`${text.replace('s', 'S')}: texts keep them.`],
      note: `${text}; STRING keeps them, if they are sent as texts`,
    };
  }

  /** Whether numbers count the time since 1970, it seems by the name of the field and their digits. */
  #areCounts(name: string): boolean {
    return timeName.test(snakeCase(name)) && [...this.#digits].every((digits) => units[digits] !== undefined);
  }

  /** Whether numbers are days such as 20260131, it seems by the name of the field. */
  #areDays(name: string): boolean {
    const [min, max] = [this.#min, this.#max].map((each) =>
      String(each).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
    );
    return (
      /(?:^|_)(?:date|day)$/.test(snakeCase(name)) &&
      [min, max].every((each) => parseDate(each ?? '') !== undefined)
    );
  }

  #counts(range: string): string[] {
    const [digits = 0, ...others] = this.#digits;
    if (others.length > 0 || this.#kinds.has('moment') || this.#kinds.has('date')) return [];
    return [`Sent as ${units[digits]} since 1970, it seems: ${range.toLowerCase()}`];
  }

  /** Fractions are NUMERIC if they are sums of money, by their name or by how they are written. */
  #fractionType(name: string): string {
    if (this.#decimals > maxDecimals) return 'FLOAT64';
    const isWrittenAsMoney = this.#hasTwoDecimals && this.#hasTrailingZero;
    return money.test(snakeCase(name)) || isWrittenAsMoney ? 'NUMERIC' : 'FLOAT64';
  }

  #list(): string[] {
    if (this.#listed === undefined || this.#count < minForList) return [];
    return [
      `One of ${[...this.#listed]
        .sort()
        .map((text) => JSON.stringify(text))
        .join(', ')}.`,
    ];
  }
}

/** How many digits a number has before and after its point, if it is written without an exponent. */
function digitsOf(number: string): { readonly whole: number; readonly fraction: number } {
  const [, digits = '', decimals = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const whole = Math.max(1, digits.length + Number(exponent));
  const fraction = Math.max(0, decimals.length - Number(exponent));
  // The largest values of BIGNUMERIC have a digit more than it always has.
  const isLargest = whole === maxLongDigits + 1 && parseDecimal(number, 'BIGNUMERIC') !== undefined;
  return { whole: isLargest ? maxLongDigits : whole, fraction };
}

/** Digits that FLOAT64 always has. */
const floatDigits = 15;
/** Digits with which each FLOAT64 can be written. */
const maxFloatDigits = 17;

/** Whether a number may have had other digits. Those with more are read as `JsonNumber`, unless they have an exponent. */
function mayBeRounded(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 10 ** maxFloatDigits;
}

/** Whether FLOAT64 has this number. Of fractions, only digits beyond those of a FLOAT64 count. */
function isExactly(number: string): boolean {
  if (number.length <= floatDigits && !/e/i.test(number)) return true;
  if (!Number.isFinite(Number(number))) return false;
  const digits = number
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '').length;
  return (digits <= maxFloatDigits && /[.eE]/.test(number)) || isExact(number);
}

const units: Readonly<Record<number, string>> = {
  10: 'seconds',
  13: 'milliseconds',
  16: 'microseconds',
  19: 'nanoseconds',
};

function capital(text: string): string {
  return text.replace(/^./, (letter) => letter.toUpperCase());
}

function day(micros: number | string | undefined): string {
  return String(micros).slice(0, 10);
}

function snakeCase(name: string): string {
  return name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
}

const [zero, nine] = [0x30, 0x39];

function kindOfText(text: string): ScalarKind {
  const first = text.charCodeAt(0);
  const isDigit = first >= zero && first <= nine;
  if (isDigit || text.startsWith('-')) {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return parseDate(text) === undefined ? 'text' : 'date';
    if (/^\d\d:\d\d:\d\d(?:\.\d{1,6})?$/.test(text)) return parseTime(text) === undefined ? 'text' : 'time';
    if (/^-?(?:0|[1-9]\d*)\.\d{1,9}$/.test(text)) return 'decimal';
  }
  // Texts of GoogleSQL such as `2024-1-5` may mean something else.
  if (!/\d\d:?\d\d:?\d\d|\d[T ]\d\d:\d\d/.test(text)) return 'text';
  return microsOfText(text) === undefined ? 'text' : 'moment';
}
