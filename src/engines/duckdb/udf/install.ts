import type { DuckDBConnection } from '@duckdb/node-api';
import { fromBase32, toBase32 } from './base32.ts';
import { fromBase2, fromBase8, toBase2, toBase8 } from './bit-digits.ts';
import { byteBitFunctions } from './byte-bits.ts';
import { checkpoint } from './checkpoint.ts';
import { claim } from './claim.ts';
import { codePointsToBytes, codePointsToText, toCodePoints } from './code-points.ts';
import { collatedSearches } from './collated-search.ts';
import { bignumericFunctions, bignumericToNumeric, numericFunctions } from './decimal-functions.ts';
import { decimalMaths } from './decimal-maths.ts';
import { sha512 } from './digests.ts';
import { doubleRound, doubleTruncate } from './double-rounding.ts';
import { editDistance } from './edit-distance.ts';
import { farmFingerprint } from './farm-fingerprint.ts';
import { formatFunctionsInJs } from './format/format-functions.ts';
import { hllFunctionsInJs } from './hll/hll-functions.ts';
import { intervalFunctionsInJs } from './interval/interval-functions.ts';
import { ipFromString, ipNetMask, ipToString, ipTruncate, ipv4FromInt64, ipv4ToInt64 } from './ip-address.ts';
import type { FunctionContext } from './js-function.ts';
import { jsonFunctionsInJs } from './json/json-functions.ts';
import { jsonSearchFunctionsInJs } from './json-search.ts';
import { latinBytes, latinText, repairedText, textOfBytes } from './latin.ts';
import { normalized, normalizedCasefold } from './normalization.ts';
import { numericMoments } from './numeric-moments.ts';
import { publicSuffix, registeredDomain } from './public-suffix.ts';
import { regexpFunctionsInJs } from './regexp/regexp-functions.ts';
import { searchWork } from './search-work.ts';
import { soundex } from './soundex.ts';
import { initialCapitalsAfter, joinedTexts, positionOf, translate } from './text-functions.ts';
import { timeFunctionsInJs } from './time/time-functions.ts';
import { urlHost } from './url-host.ts';
import { WorkLimit } from './work-limit.ts';

const functions = [
  searchWork,
  latinText,
  latinBytes,
  repairedText,
  textOfBytes,
  toCodePoints,
  codePointsToText,
  codePointsToBytes,
  normalized,
  normalizedCasefold,
  soundex,
  translate,
  positionOf,
  initialCapitalsAfter,
  joinedTexts,
  sha512,
  farmFingerprint,
  toBase32,
  fromBase32,
  toBase2,
  toBase8,
  fromBase2,
  fromBase8,
  urlHost,
  publicSuffix,
  registeredDomain,
  ipFromString,
  ipToString,
  ipNetMask,
  ipTruncate,
  ipv4FromInt64,
  ipv4ToInt64,
  editDistance,
  ...jsonSearchFunctionsInJs,
  doubleRound,
  doubleTruncate,
  ...byteBitFunctions,
  ...formatFunctionsInJs,
  ...regexpFunctionsInJs,
  ...Object.values(numericFunctions),
  ...Object.values(bignumericFunctions),
  bignumericToNumeric,
  ...decimalMaths,
  ...numericMoments,
  ...timeFunctionsInJs,
  ...intervalFunctionsInJs,
  ...hllFunctionsInJs,
  ...collatedSearches,
  ...jsonFunctionsInJs,
];

export interface FunctionsOptions extends Omit<FunctionContext, 'limit'> {
  /** Milliseconds of a monotonic clock, to which the `endsAt` of queries refers as well. */
  readonly elapsed?: (() => number) | undefined;
}

/** Makes the functions that emitted SQL calls available to all connections of an instance. */
export function installJsFunctions(connection: DuckDBConnection, options: FunctionsOptions = {}): void {
  const context = contextOf(options);
  for (const each of [claim, checkpoint, ...functions]) each.register(connection, context);
}

/**
 * Gives a connection its own copies of functions, which its emitted SQL calls from then on. Calls of one function wait
 * for each other, even from different connections; those of different functions interleave with everything else on the
 * event loop.
 *
 * @param suffix distinguishes their names from those of other connections
 */
export async function installOwnJsFunctions(
  connection: DuckDBConnection,
  suffix: string,
  options: FunctionsOptions = {},
): Promise<void> {
  const context = contextOf(options);
  for (const each of functions) each.register(connection, context, suffix);
  await connection.run(functions.flatMap((each) => each.replacements(suffix)).join(';\n'));
}

function contextOf({ elapsed = () => performance.now(), room, queries }: FunctionsOptions): FunctionContext {
  return { limit: new WorkLimit(elapsed, () => room?.enforce()), room, queries };
}
