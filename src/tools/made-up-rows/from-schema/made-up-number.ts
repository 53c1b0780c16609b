import type { Random } from '../making/random.ts';
import { type Maker, snakeCase } from './made-up-text.ts';
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

/** The numbers of a column with this name, positive ones as a rule. */
export function numberMaker(column: string): Maker<number> {
  const name = snakeCase(column);
  return byName.find(([pattern]) => pattern.test(name))?.[1] ?? anyNumber;
}

function anyNumber(random: Random): number {
  return random.integer(0, 100);
}
