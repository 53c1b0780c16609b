import type { SourceColumn } from '../../../definitions/sources/source.ts';
import { elementType } from '../../../sql/values/type.ts';
import { isoMicros } from '../making/instant.ts';
import type { MadeUpValue } from '../making/made-up-store.ts';
import type { NonEmpty, Random } from '../making/random.ts';
import type { ExampleValues } from './example-values.ts';
import { type Maker, snakeCase, textMaker } from './made-up-text.ts';
import { statusCodes } from './words.ts';

const microsPerMilli = 1_000;

/** Names of columns, in snake case, and the numbers that such columns have. The first that matches is used. */
const byName: readonly (readonly [RegExp, Maker<number>])[] = [
  [/(?:^|_)(?:status|status_code|http_status|response_code)$/, (random) => random.weighted(statusCodes)],
  [/(?:^|_)(?:us|micros|microseconds)$/, (random) => random.duration(60_000)],
  [/(?:^|_)(?:ns|nanos|nanoseconds)$/, (random) => random.duration(60_000_000)],
  [/(?:^|_)(?:s|sec|secs|seconds)$/, (random) => random.duration(4)],
  [
    /(?:^|_)(?:ms|millis|milliseconds|duration|latency|elapsed|took|time_taken|origin_time)$/,
    (random) => random.duration(60),
  ],
  [/(?:^|_)(?:bytes|size|length|content_length)$/, (random) => random.duration(4_000)],
  [/(?:^|_)port$/, (random) => random.pick([443, 8080, 5432])],
  [/(?:^|_)(?:lat|latitude)$/, (random) => random.fraction() * 180 - 90],
  [/(?:^|_)(?:lon|lng|longitude)$/, (random) => random.fraction() * 360 - 180],
  [/(?:^|_)(?:ratio|rate|share|probability|score)$/, (random) => random.fraction()],
  [/(?:^|_)(?:percent|percentage|cpu|memory|load)$/, (random) => random.fraction() * 100],
  [/(?:^|_)(?:price|amount|total|cost|revenue|sum)$/, (random) => random.duration(30)],
  [/(?:^|_)(?:count|quantity|items|retries|attempts|attempt|n)$/, (random) => random.integer(1, 20)],
  [/(?:^|_)age$/, (random) => random.integer(18, 90)],
  [/(?:^|_)(?:at|time|epoch|timestamp|date)$/, (_, at) => at / microsPerMilli],
  [/(?:^|_)(?:id|pid|number|no)$/, (random) => random.integer(1, 1_000)],
];

/** How often a value that may be missing is missing. */
const nullShare = 0.04;
/** How often a column has one of the values of examples. */
const exampleShare = 0.6;
/** Most elements of a repeated column. */
const maxElements = 3;

const microsPerSecond = 1_000_000;
const secondsPerDay = 86_400;

/** Makes the values of a column or field, in the form of rows. */
export function columnMaker(column: SourceColumn, examples: ExampleValues): Maker<MadeUpValue> {
  const { mode, fields, name } = column;
  const known = examples.of(name, column.type);
  const value = fields.length > 0 ? recordMaker(fields, examples) : scalarMaker(column);
  const single: Maker<MadeUpValue> =
    known === undefined
      ? value
      : (random, at) => (random.chance(exampleShare) ? random.pickEarly(known) : value(random, at));
  if (mode === 'REPEATED') {
    // A repeated record with a singular name is usually there once: `metadata`, `request`.
    const least = fields.length > 0 ? 1 : 0;
    const most = fields.length > 0 && !/s$/i.test(name) ? 1 : maxElements;
    return (random, at) => Array.from({ length: random.integer(least, most) }, () => single(random, at));
  }
  if (mode === 'REQUIRED' || known !== undefined || fields.length > 0) return single;
  return (random, at) => (random.chance(nullShare) ? null : single(random, at));
}

/** Makes records with these fields. */
function recordMaker(fields: readonly SourceColumn[], examples: ExampleValues): Maker<MadeUpValue> {
  const makers = fields.map((field) => [field.name, columnMaker(field, examples)] as const);
  return (random, at) => Object.fromEntries(makers.map(([name, make]) => [name, make(random, at)]));
}

function scalarMaker({ name, type, description }: SourceColumn): Maker<MadeUpValue> {
  const { kind } = elementType(type);
  const number = numberMaker(name);
  const listed = listedIn(description);
  switch (kind) {
    case 'STRING':
      return listed === undefined ? textMaker(name) : (random) => random.pickEarly(listed);
    case 'INT64':
      return (random, at) => Math.round(number(random, at));
    case 'FLOAT64':
      return (random, at) => Math.round(number(random, at) * 1_000) / 1_000;
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return (random, at) => number(random, at).toFixed(2);
    case 'BOOL':
      return (random) => random.chance(seldom.test(snakeCase(name)) ? 0.05 : 0.7);
    case 'TIMESTAMP':
      return (random, at) => isoMicros(otherInstant(name, at, random.fraction()));
    case 'DATETIME':
      return (random, at) => isoMicros(otherInstant(name, at, random.fraction())).slice(0, -1);
    case 'DATE':
      return (random, at) => isoMicros(otherInstant(name, at, random.fraction())).slice(0, 10);
    case 'TIME':
      return (_, at) => isoMicros(at).slice(11, -1);
    case 'BYTES':
      return (random) => Buffer.from(random.hex(16), 'hex').toString('base64');
    case 'JSON':
      return (random, at) => ({ message: textMaker('message')(random, at), attempt: random.integer(1, 3) });
    default:
      // The embedded store has no other types: INTERVAL, GEOGRAPHY.
      return () => null;
  }
}

const seldom = /(?:^|_)(?:error|failed|deleted|disabled|blocked|cancelled|bot|test)(?:_|$)/;

/** A time near the row's: within an hour before it, or, for ends, a day after it. */
function otherInstant(name: string, at: number, fraction: number): number {
  const isEnd = /(?:^|_)(?:expires?|expiry|due|until|end|ends|ended)(?:_|$)/.test(snakeCase(name));
  const seconds = isEnd ? fraction * secondsPerDay : -fraction * 3_600;
  return Math.round(at + seconds * microsPerSecond);
}

/** The values that a description lists: `One of: north, south or "far east".` */
function listedIn(description = ''): NonEmpty<string> | undefined {
  const [, list = ''] = /\bone of:?\s+([^.;\n]+)/i.exec(description) ?? [];
  const [first, ...others] = list
    .split(/,\s*(?:or\s+)?|\s+or\s+/)
    .map((item) => item.trim().replace(/^[`"']|[`"']$/g, ''))
    .filter((item) => item !== '');
  // A single one is rather a sentence: "One of the shops".
  return first === undefined || others.length === 0 ? undefined : [first, ...others];
}

/** The numbers of a column with this name, positive ones as a rule. */
function numberMaker(column: string): Maker<number> {
  const name = snakeCase(column);
  return byName.find(([pattern]) => pattern.test(name))?.[1] ?? anyNumber;
}

function anyNumber(random: Random): number {
  return random.integer(0, 100);
}
