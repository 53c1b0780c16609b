import { JsonNumber, parseWithDigits } from '../../../../base/text/json-number.ts';
import type { JsonObject } from '../../encode/field-path.ts';
import { isObject } from '../../encode/record-members.ts';
import { describeValue } from '../../encode/row-validation-error.ts';
import { columnNames, type NamesOf, ownNames } from './column-names.ts';
import type { LogRecord, ResourceLogs } from './log-record.ts';
import { doubleNumber, maxValueDepth, OtlpError } from './otlp-value.ts';

/**
 * Reads an `ExportLogsServiceRequest` in OTLP's JSON: keys in lower camel case, ids in hexadecimal, integers of 64 bits as
 * texts or numbers, enumerations as numbers or names. Keys that aren't known are skipped, as the specification says, but for
 * those that show that something else was meant: names in snake case, which protobuf's own JSON would have, and other keys where those
 * of logs are missing.
 *
 * @throws OtlpError for a text that is no such request, with the place
 */
export function readJsonLogs(text: string): ResourceLogs[] {
  let parsed: unknown;
  try {
    parsed = parseWithDigits(text);
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
    throw new OtlpError(`not JSON: ${error.message}`);
  }
  const body = new Reader(parsed, 'the body');
  return body.list('resourceLogs', []).map((logs) => ({
    resource: logs.message('resource').attributes(),
    scopes: logs.list('scopeLogs', ['resource', 'schemaUrl']).map((ofScope) => {
      const scope = ofScope.message('scope');
      const [name, version] = [scope.text('name'), scope.text('version')];
      return {
        scope: { name, version, attributes: scope.attributes() },
        records: ofScope.list('logRecords', ['scope', 'schemaUrl']).map(recordOf),
      };
    }),
  }));
}

const recordFields = [
  ...['timeUnixNano', 'observedTimeUnixNano', 'severityNumber', 'severityText', 'body', 'attributes'],
  ...['droppedAttributesCount', 'flags', 'traceId', 'spanId', 'eventName'],
];

function recordOf(record: Reader): LogRecord {
  record.refuseWithout(recordFields);
  return {
    timeUnixNano: record.nanos('timeUnixNano'),
    observedTimeUnixNano: record.nanos('observedTimeUnixNano'),
    severityNumber: record.severity(),
    severityText: record.text('severityText'),
    body: record.anyValue('body', 0, ownNames),
    attributes: record.attributes(),
    flags: record.unsigned('flags'),
    traceId: record.hex('traceId', 32),
    spanId: record.hex('spanId', 16),
    eventName: record.text('eventName'),
  };
}

const maxUint64 = 2n ** 64n - 1n;
const severities = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

/** Reads the fields of one message. Absent and null fields have their defaults. */
class Reader {
  readonly #object: JsonObject;
  readonly #place: string;

  constructor(value: unknown, place: string) {
    this.#place = place;
    if (!isObject(value)) throw new OtlpError(`${place}: expected an object, got ${describeValue(value)}`);
    this.#object = value;
  }

  /**
   * Refuses an object that has other fields, but none of these. It is no message of logs.
   *
   * @param beside fields that it may have besides
   */
  refuseWithout(names: readonly string[], beside: readonly string[] = []): void {
    if (names.some((name) => Object.hasOwn(this.#object, name))) return;
    for (const name of names) this.#get(name);
    const others = Object.keys(this.#object).filter((key) => !beside.includes(key));
    if (others.length === 0) return;
    const found = others.slice(0, maxShownKeys).map(quoted).join(', ');
    throw new OtlpError(
      `${this.#place} has no ${names.join(', ')}, which this path takes, but ${found}${signalOf(others)}`,
    );
  }

  /** @param beside fields that an object without this list may have. If it is given, others are refused there. */
  list(name: string, beside?: readonly string[]): Reader[] {
    if (beside !== undefined) this.refuseWithout([name], beside);
    const value = this.#get(name) ?? [];
    if (!Array.isArray(value)) throw this.#unexpected(name, 'an array');
    return value.map((element, index) => new Reader(element, `${this.#at(name)}[${index}]`));
  }

  message(name: string): Reader {
    return new Reader(this.#get(name) ?? {}, this.#at(name));
  }

  text(name: string): string {
    const value = this.#get(name) ?? '';
    if (typeof value !== 'string') throw this.#unexpected(name, 'a text');
    return value;
  }

  hex(name: string, digits: number): string {
    const text = this.text(name);
    if (text !== '' && (text.length !== digits || !/^[\da-f]*$/i.test(text)))
      throw this.#unexpected(name, `${digits} hexadecimal digits`);
    return /^0*$/.test(text) ? '' : text.toLowerCase();
  }

  nanos(name: string): bigint {
    const nanos = integerOf(this.#get(name) ?? '0');
    if (nanos === undefined || nanos < 0n || nanos > maxUint64)
      throw this.#unexpected(name, 'nanoseconds since 1970');
    return nanos;
  }

  unsigned(name: string): number {
    const integer = integerOf(this.#get(name) ?? '0');
    if (integer === undefined || integer < 0n || integer > 0xffffffffn)
      throw this.#unexpected(name, 'an integer of 32 bits');
    return Number(integer);
  }

  severity(): number {
    const value = this.#get('severityNumber') ?? '0';
    const named = typeof value === 'string' ? /^SEVERITY_NUMBER_([A-Z]+)([2-4]?)$/.exec(value) : null;
    if (named === null) return this.unsigned('severityNumber');
    const range = severities.indexOf(named[1] ?? '');
    if (range !== -1) return range * 4 + Number(named[2] || 1);
    if (named[1] === 'UNSPECIFIED') return 0;
    throw this.#unexpected('severityNumber', 'a severity');
  }

  attributes(name = 'attributes', depth = 0, namesOf: NamesOf = columnNames): JsonObject {
    const pairs = this.list(name);
    return namesOf(pairs.map((pair) => [pair.text('key'), pair.anyValue('value', depth, namesOf)]));
  }

  anyValue(name: string, depth: number, namesOf: NamesOf): unknown {
    return this.#get(name) === undefined ? null : this.message(name).#value(depth, namesOf);
  }

  /** The value of an `AnyValue`. */
  #value(depth: number, namesOf: NamesOf): unknown {
    if (depth > maxValueDepth) throw new OtlpError(`${this.#place}: nested too deeply`);
    if (this.#get('stringValue') !== undefined) return this.text('stringValue');
    const bool = this.#get('boolValue');
    if (bool !== undefined) {
      if (typeof bool !== 'boolean') throw this.#unexpected('boolValue', 'true or false');
      return bool;
    }
    const integer = this.#get('intValue');
    if (integer !== undefined) {
      const value = integerOf(integer);
      if (value === undefined || BigInt.asIntN(64, value) !== value)
        throw this.#unexpected('intValue', 'an integer of 64 bits');
      return new JsonNumber(String(value));
    }
    if (this.#get('doubleValue') !== undefined) return this.#double();
    if (this.#get('arrayValue') !== undefined)
      return this.message('arrayValue')
        .list('values')
        .map((element) => element.#value(depth + 1, namesOf));
    if (this.#get('kvlistValue') !== undefined)
      return this.message('kvlistValue').attributes('values', depth + 1, namesOf);
    return this.#get('bytesValue') === undefined ? null : this.text('bytesValue');
  }

  #double(): JsonNumber | string {
    const value = this.#get('doubleValue');
    if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return value;
    const double =
      value instanceof JsonNumber || (typeof value === 'string' && value.trim() !== '')
        ? Number(String(value))
        : Number.NaN;
    if (Number.isFinite(double)) return doubleNumber(double);
    throw this.#unexpected('doubleValue', 'a double');
  }

  #get(name: string): unknown {
    if (Object.hasOwn(this.#object, name)) return this.#object[name] ?? undefined;
    const other = inSnakeCase(name);
    if (other !== name && Object.hasOwn(this.#object, other))
      throw new OtlpError(`${this.#at(other)}: the names of fields are in lower camel case, here ${name}`);
    return undefined;
  }

  #at(name: string): string {
    return this.#place === 'the body' ? name : `${this.#place}.${name}`;
  }

  #unexpected(name: string, expected: string): OtlpError {
    return new OtlpError(`${this.#at(name)}: expected ${expected}, got ${describeValue(this.#get(name))}`);
  }
}

const maxShownKeys = 5;

function quoted(key: string): string {
  return describeValue(key);
}

/** What the fields of a request for another path are. */
const signals: Readonly<Record<string, string>> = {
  resourceSpans: 'traces',
  resourceMetrics: 'metrics',
  resourceProfiles: 'profiles',
};

function signalOf(keys: readonly string[]): string {
  const key = keys.find((each) => Object.hasOwn(signals, each));
  return key === undefined ? '' : `: ${signals[key]}, which the gateway does not take`;
}

const snakeNames = new Map<string, string>();

function inSnakeCase(name: string): string {
  let snake = snakeNames.get(name);
  if (snake === undefined) {
    snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    snakeNames.set(name, snake);
  }
  return snake;
}

/** A JSON number or its digits as a text. */
function integerOf(value: unknown): bigint | undefined {
  const text = value instanceof JsonNumber ? value.text : value;
  return typeof text === 'string' && /^-?\d{1,20}$/.test(text) ? BigInt(text) : undefined;
}
