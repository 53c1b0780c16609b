import type { DuckDBConnection } from '@duckdb/node-api';
import accessors from '@duckdb/node-api/lib/vectors/dataAccessors.js';
import { type FunctionsOptions, installJsFunctions } from '../udf/install.ts';
import { aggregateMacros } from './aggregates.ts';
import { arrayMacros } from './arrays.ts';
import { collatedSearchMacros } from './collated-search.ts';
import { collationMacros } from './collation.ts';
import { distanceMacros } from './distances.ts';
import { doubleRankMacros } from './double-rank.ts';
import { encodingMacros } from './encodings.ts';
import { hostMacros } from './host.ts';
import { ipMacros } from './ip.ts';
import { jsonMacros } from './json.ts';
import { type Macro, macroDatabase } from './macro.ts';
import { mathMacros } from './maths.ts';
import { numberMacros } from './numbers.ts';
import { limbMacros } from './numeric-limbs.ts';
import { rangeMacros } from './range-bucket.ts';
import { roundingMacros } from './rounding.ts';
import { searchMacros } from './search.ts';
import { textMacros } from './text.ts';
import { timeMacros } from './time.ts';

/** All of them. */
export const macros: readonly Macro[] = [
  ...numberMacros,
  ...mathMacros,
  ...rangeMacros,
  ...roundingMacros,
  ...doubleRankMacros,
  ...timeMacros,
  ...textMacros,
  ...arrayMacros,
  ...encodingMacros,
  ...hostMacros,
  ...aggregateMacros,
  ...limbMacros,
  ...distanceMacros,
  ...searchMacros,
  ...collationMacros,
  ...collatedSearchMacros,
  ...ipMacros,
  ...jsonMacros,
];

/**
 * Makes the macros and functions in JavaScript that emitted SQL calls available to all connections of an instance.
 * Macros are in an attached in-memory database, so nothing is written to the store. Takes about 60 ms, once per
 * instance.
 */
export async function installMacros(connection: DuckDBConnection, options?: FunctionsOptions): Promise<void> {
  keepByteOrderMarks();
  // Macros may call these.
  installJsFunctions(connection, options);
  const statements = macros.flatMap((macro) => macro.definitions);
  await connection.run(`ATTACH ':memory:' AS ${macroDatabase};\n${statements.join(';\n')}`);
}

/**
 * Preserves a leading U+FEFF in texts: the client library's text decoder takes it for a byte order mark and drops it.
 * The library has no setting for that, so its decoder is replaced.
 */
function keepByteOrderMarks(): void {
  Object.assign(accessors, { textDecoder: new TextDecoder('utf-8', { ignoreBOM: true }) });
}
