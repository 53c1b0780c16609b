import type { DuckDBConnection } from '@duckdb/node-api';
import { fromBase32, toBase32 } from './bytes/base32.ts';
import { fromBase2, fromBase8, toBase2, toBase8 } from './bytes/bit-digits.ts';
import { byteBitFunctions } from './bytes/byte-bits.ts';
import { sha512 } from './bytes/digests.ts';
import { farmFingerprint } from './bytes/farm-fingerprint.ts';
import { bignumericFunctions, bignumericToNumeric, numericFunctions } from './decimals/decimal-functions.ts';
import { decimalMaths } from './decimals/decimal-maths.ts';
import { doubleRound, doubleTruncate } from './decimals/double-rounding.ts';
import { numericMoments } from './decimals/numeric-moments.ts';
import { formatFunctionsInJs } from './format/format-functions.ts';
import { hllFunctionsInJs } from './hll/hll-functions.ts';
import { intervalFunctionsInJs } from './interval/interval-functions.ts';
import { checkpoint } from './js/checkpoint.ts';
import { answerClaim, claim } from './js/claim.ts';
import type { FunctionContext } from './js/js-function.ts';
import { WorkLimit } from './js/work-limit.ts';
import { jsonFunctionsInJs } from './json/json-functions.ts';
import {
  ipFromString,
  ipNetMask,
  ipToString,
  ipTruncate,
  ipv4FromInt64,
  ipv4ToInt64,
} from './net/ip-address.ts';
import { publicSuffix, registeredDomain } from './net/public-suffix.ts';
import { urlHost } from './net/url-host.ts';
import { regexpFunctionsInJs } from './regexp/regexp-functions.ts';
import { codePointsToBytes, codePointsToText, toCodePoints } from './text/code-points.ts';
import { collatedSearches } from './text/collated-search.ts';
import { editDistance } from './text/edit-distance.ts';
import { jsonSearchFunctionsInJs } from './text/json-search.ts';
import { latinBytes, latinText, repairedText, textOfBytes } from './text/latin.ts';
import { normalized, normalizedCasefold } from './text/normalization.ts';
import { searchWork } from './text/search-work.ts';
import { soundex } from './text/soundex.ts';
import { specialLower, specialUpper } from './text/special-casing.ts';
import { initialCapitalsAfter, joinedTexts, positionOf, translate } from './text/text-functions.ts';
import { timeFunctionsInJs } from './time/time-functions.ts';
import { sparseDistancesInJs } from './vectors/sparse-distances.ts';

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
  specialLower,
  specialUpper,
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
  ...sparseDistancesInJs,
];

export interface FunctionsOptions extends Omit<FunctionContext, 'limit'> {
  /** Milliseconds of a monotonic clock, to which the `endsAt` of queries refers as well. */
  readonly elapsed?: (() => number) | undefined;
}

/** Makes the functions that emitted SQL calls available to all connections of an instance. */
export function installJsFunctions(connection: DuckDBConnection, options: FunctionsOptions = {}): void {
  const context = contextOf(options);
  for (const each of [claim, answerClaim, checkpoint, ...functions]) each.register(connection, context);
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
