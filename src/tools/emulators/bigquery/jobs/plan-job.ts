import type { DuckDbEngine } from '../../../../engines/duckdb/run/duckdb-engine.ts';
import type { Analyzer } from '../../../../sql/analyzer/analyzer.ts';
import { annotateStatement } from '../../../../sql/analyzer/annotate-statement.ts';
import { AnalyzerError } from '../../../../sql/analyzer/error.ts';
import { inlineFunctions } from '../../../../sql/analyzer/inline-functions.ts';
import { analyzerOptions } from '../../../../sql/analyzer/language.ts';
import { type FunctionAnalyzer, readFunctions } from '../../../../sql/analyzer/stored-functions.ts';
import { newPlan, type Plan } from '../../../../sql/plan/plan.ts';
import type { AnyNode } from '../../../../sql/resolved/node.ts';
import { resultColumns } from '../../../../sql/resolved/result-columns.ts';
import { queryOnly } from '../../../../sql/text/query-only.ts';
import { uniquelyNamed } from '../../../../sql/values/column-names.ts';
import type { Value } from '../../../../sql/values/value.ts';
import type { Partitions } from '../partitions/partitions.ts';
import { scanSize } from '../partitions/scan-size.ts';
import { catalogProto, type NameDefaults } from '../tables/catalog.ts';
import { type ServedTable, tableName } from '../tables/served-table.ts';
import { billedBytes, tableScans, wronglyCased } from '../tables/table-scans.ts';
import { GoogleError } from '../wire/google-error.ts';
import { readParameters } from '../wire/query-parameters.ts';
import type { QuerySpec } from './query-spec.ts';
import { checkLabels } from './query-spec.ts';

const reservation =
  /^(?:none|projects\/[^/]+\/locations\/[^/]+\/reservations\/[a-z](?:[a-z0-9-]{0,62}[a-z0-9])?)$/;
const maxQueryLength = 1_024_000;

/** Checks a query's options before its SQL is analyzed. Returns the SQL. */
function checkSpec({ query, labels, priority, reservation: reserved, jobTimeoutMs }: QuerySpec): string {
  const { sql, useLegacySql, maximumBytesBilled, parameters } = query;
  if (sql === undefined || sql === '') {
    throw new GoogleError(
      { reason: 'required', message: 'Required parameter is missing: query', location: 'query' },
      { status: 400 },
    );
  }
  if (sql.length > maxQueryLength) {
    throw GoogleError.invalid(
      `The query is too large. The maximum standard SQL query length is ${maxQueryLength / 1000}K characters`,
    );
  }
  if (useLegacySql) {
    const message =
      parameters.length > 0
        ? 'Query parameters are not supported in legacy SQL; set useLegacySql to false'
        : 'This server has no legacy SQL, which is the default; set useLegacySql to false';
    throw new GoogleError({ reason: 'invalidQuery', message, location: 'q' });
  }
  if (priority !== 'INTERACTIVE' && priority !== 'BATCH') {
    throw GoogleError.invalid(`Invalid value for priority: ${priority} is not a valid value`, 'priority');
  }
  if (maximumBytesBilled !== undefined && maximumBytesBilled <= 0) {
    throw GoogleError.invalid(
      'Invalid value for maximumBytesBilled: it must be positive',
      'maximumBytesBilled',
    );
  }
  if (jobTimeoutMs !== undefined && jobTimeoutMs <= 0) {
    throw GoogleError.invalid('Invalid value for jobTimeoutMs: it must be positive', 'jobTimeoutMs');
  }
  if (reserved !== undefined && reserved !== '' && !reservation.test(reserved)) {
    throw GoogleError.invalid(`Invalid reservation name: ${reserved}`, 'reservation');
  }
  checkLabels(labels);
  return sql;
}

/** A query that may run, and its cost. */
export interface PlannedJob {
  readonly plan: Plan;
  readonly values: ReadonlyMap<string, Value>;
  readonly referencedTables: readonly ServedTable[];
  readonly bytesProcessed: number;
  readonly bytesBilled: number;
  readonly partitionsProcessed: number;
}

export interface Planning {
  readonly analyzer: Pick<Analyzer, 'call'> & FunctionAnalyzer;
  readonly engine: Pick<DuckDbEngine, 'run'>;
  readonly tables: readonly ServedTable[];
  readonly partitions: Partitions;
  /** The number of rows of a source in the store. */
  readonly rowCount: (source: string) => Promise<number>;
  /** The location of all datasets. */
  readonly location: string;
}

/**
 * Plans a query over the emulator's tables.
 *
 * @param location the location in which the job is to run
 * @throws GoogleError BigQuery's error for a query that can't run
 */
export async function planJob(spec: QuerySpec, location: string, planning: Planning): Promise<PlannedJob> {
  const sql = checkSpec(spec);
  const { tables } = planning;
  const parameters = readParameters(spec.query.parameters, spec.query.parameterMode);
  const types = new Map([...parameters].map(([name, { type }]) => [name, type]));
  const defaults = {
    projectId: spec.query.defaultDataset?.projectId ?? spec.projectId,
    datasetId: spec.query.defaultDataset?.datasetId,
  };
  const statement = await analyze(sql, types, defaults, planning);
  const columns = uniquelyNamed(resultColumns(statement));
  refuseDuplicates(columns.map(({ name }) => name));
  const scans = tableScans(statement, sql, tables);
  for (const scan of scans) {
    const { table } = scan;
    const wrong = wronglyCased(scan);
    if (wrong !== undefined) throw noSuchTable(wrong, { defaults, tables, location });
    if (location === planning.location) continue;
    const dataset = `${table.projectId}:${table.datasetId}`;
    throw GoogleError.notFound(`Dataset ${dataset} was not found in location ${location}`);
  }
  const values = new Map([...parameters].map(([name, { value }]) => [name, value]));
  const read = scans.filter(({ reads }) => reads.length > 0);
  const sizes = await Promise.all(
    read.map((scan) => scanSize(scan, { ...planning, parameters: { types, values } })),
  );
  const bytes = sizes.map((size) => size.bytes);
  return {
    plan: newPlan({ sql, statement, columns, parameters: types, isCallers: false }),
    values,
    referencedTables: scans.map(({ table }) => table),
    bytesProcessed: bytes.reduce((sum, size) => sum + size, 0),
    bytesBilled: billedBytes(bytes),
    partitionsProcessed: sizes.reduce((sum, { partitions }) => sum + partitions, 0),
  };
}

async function analyze(
  sql: string,
  types: Plan['parameters'],
  defaults: NameDefaults,
  { analyzer, tables, location }: Planning,
): Promise<AnyNode> {
  try {
    const { functions, end: functionsEnd } = await readFunctions(sql, [], analyzer);
    const answer = await analyzer.call('analyze', {
      sql_statement: queryOnly({ sql, functionsEnd }),
      simple_catalog: catalogProto(tables, defaults, functions),
      options: analyzerOptions(types),
    });
    const { resolved_statement } = answer as { resolved_statement: AnyNode };
    const statement = inlineFunctions(resolved_statement, sql, functions);
    annotateStatement(statement, sql);
    return statement;
  } catch (error) {
    if (!(error instanceof AnalyzerError)) throw error;
    throw missingTable(error.message, { defaults, tables, location }) ?? invalidQuery(error);
  }
}

function invalidQuery({ message, position }: AnalyzerError): GoogleError {
  const place = position === undefined ? '' : ` at [${position.line}:${position.column}]`;
  return new GoogleError({ reason: 'invalidQuery', message: `${message}${place}`, location: 'q' });
}

function refuseDuplicates(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (name === '') continue;
    const lowered = name.toLowerCase();
    if (seen.has(lowered)) {
      const message = `Duplicate column names in the result are not supported when a destination table is present. Found duplicate(s): ${name}`;
      throw new GoogleError({ reason: 'invalidQuery', message, location: 'q' });
    }
    seen.add(lowered);
  }
}

interface Known {
  readonly defaults: NameDefaults;
  readonly tables: readonly ServedTable[];
  readonly location: string;
}

/** BigQuery's message for the analyzer's `Table not found`. Undefined for any other message of the analyzer. */
function missingTable(message: string, known: Known): GoogleError | undefined {
  const written = /^Table not found: (.*?)(?:; Did you mean .*)?$/s.exec(message)?.[1];
  return written === undefined ? undefined : noSuchTable(written.replaceAll('`', ''), known);
}

/**
 * BigQuery's message for a table that doesn't exist.
 *
 * @param name as in the query, without backquotes
 */
function noSuchTable(name: string, { defaults, tables, location }: Known): GoogleError {
  const parts = name.split('.');
  const tableId = parts.pop() ?? '';
  const datasetId = parts.pop() ?? defaults.datasetId;
  if (datasetId === undefined) {
    const text = `Table "${name}" must be qualified with a dataset (e.g. dataset.table).`;
    return GoogleError.invalid(text, name);
  }
  // The name of an old project includes its domain: example.com:project.
  const projectId = parts.length > 0 ? parts.join('.') : defaults.projectId;
  const isKnown = tables.some((table) => table.projectId === projectId && table.datasetId === datasetId);
  const what = isKnown
    ? `Table ${tableName({ projectId, datasetId, tableId })}`
    : `Dataset ${projectId}:${datasetId}`;
  return GoogleError.notFound(`${what} was not found in location ${location}`);
}
