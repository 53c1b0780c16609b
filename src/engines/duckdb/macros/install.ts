import type { DuckDBConnection } from '@duckdb/node-api';
import { keepByteOrderMarks } from '../dialect/keep-byte-order-marks.ts';
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
  if (await areInstalled(connection)) return;
  const statements = macros.flatMap((macro) => macro.definitions);
  await connection.run(`ATTACH ':memory:' AS ${macroDatabase};\n${statements.join(';\n')}`);
}

/** Makes them available if they aren't yet. Not within a transaction: one can write to a single database only. */
export async function ensureMacros(connection: DuckDBConnection): Promise<void> {
  if (!(await areInstalled(connection))) await installMacros(connection);
}

async function areInstalled(connection: DuckDBConnection): Promise<boolean> {
  const found = await connection.runAndReadAll('SELECT 1 FROM duckdb_databases() WHERE database_name = $1', [
    macroDatabase,
  ]);
  return found.currentRowCount > 0;
}
