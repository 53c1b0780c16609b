import { engineOf } from '../../app/engines/registry.ts';
import { UsageError } from '../../base/errors/command-error.ts';
import { plainLog } from '../../base/terminal/log.ts';
import type { Output } from '../../base/terminal/output.ts';
import { visibleText } from '../../base/terminal/visible-text.ts';
import { counted } from '../../base/text/counted.ts';
import { jobOf } from '../../calls/executor/job-of.ts';
import { LocalPlanner } from '../../calls/planner/local-planner.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { timeoutMsOf } from '../../definitions/endpoints/endpoint.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { Estimate } from '../../engines/engine/engine.ts';
import { type SliceFacts, sliceSentences } from '../../engines/engine/slice-facts.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';
import { pagingSentence } from '../../sql/plan/paging.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import { type CallOptions, loadCall, parametersOf } from '../call/endpoint-call.ts';
import { refuseMissingStore } from '../engine/command-store.ts';
import { interruptible } from '../engine/interruptible.ts';
import {
  columnLine,
  type DescribedColumn,
  type DescribedParameter,
  describeColumns,
  describeParameters,
  parameterLine,
} from '../output/describe-types.ts';
import { exitCodes } from '../output/exit-codes.ts';

export interface ExplainOptions extends CallOptions {
  /** Whether to print DuckDB's plan, which requires the store. */
  readonly plan?: boolean;
  /** Whether to ask the engine what the query would read. */
  readonly cost?: boolean;
  readonly json?: boolean;
  readonly engine?: Config['engine'];
}

/**
 * Prints an endpoint's parameters and columns with their types, the tables that a call reads, and the SQL that the engine
 * runs for it: the emitted SQL for DuckDB, the text sent to BigQuery. All of it is SQL: the facts are comments. Runs
 * nothing, and opens the store only to print a plan.
 *
 * @param wanted the name or the id of the endpoint
 * @returns the exit code
 * @throws UsageError for an unknown endpoint or parameter, an invalid value, or an option that the engine can't serve
 * @throws GatewayError for a query that would be refused to callers
 * @throws ProblemsError for errors in endpoint and source files
 * @throws StoreError when the store can't be opened, for example because a server is running
 */
export function explainCommand(
  config: Config,
  output: Output,
  wanted: string,
  options: ExplainOptions,
): Promise<number> {
  return interruptible(async (signal) => {
    const { explain, slices, elsewhere } = engineOf(config);
    const plans = asked(explain.plans, options.plan);
    const cost = asked(explain.cost, options.cost);
    const needsStore = elsewhere === undefined && (plans ?? cost) !== undefined;
    if (needsStore) await refuseMissingStore(config, 'Without --plan and --cost, explain needs no rows.');
    const analyzer = await Analyzer.start(analyzerSettings(config));
    try {
      const planner = new LocalPlanner(analyzer);
      const { endpoint, plan, sources } = await loadCall(config, planner, output, wanted, options, signal);
      const description = {
        ...describeCall(endpoint, plan, config.engine),
        slices: await slices?.(plan, sources, planner),
      };
      if (!options.json) printDescription(description, output);
      const parameters = parametersOf(endpoint, options);
      const { maxRows } = endpoint;
      const timeoutMs = Math.min(config.requestTimeoutMs, timeoutMsOf(endpoint));
      const request = { plan, parameters, maxRows, signal, timeoutMs, job: jobOf({ endpoint, parameters }) };
      const call = { config, planner, sources, request, log: plainLog(output.err) };
      const sql = await explain.statements(call);
      if (!options.json) {
        const readable = sql.map((statement) => explain.readable?.(statement, plan) ?? statement);
        printStatements(await Promise.all(readable), output);
      }
      const work = { sql, plan: await plans?.(call, sql), ...(await cost?.(call)) };
      if (options.json) output.out(`${JSON.stringify({ ...description, ...work }, null, 2)}\n`);
      else printFurtherWork(work, output);
      return exitCodes.success;
    } finally {
      await analyzer.close();
    }
  });
}

/**
 * What an option asks the engine for, if it is given.
 *
 * @throws UsageError if the engine doesn't support the option
 */
function asked<Answer>(answer: string | Answer, isGiven = false): Answer | undefined {
  if (!isGiven) return undefined;
  if (typeof answer === 'string') throw new UsageError(answer);
  return answer;
}

/** Prints the description of a call as SQL comments. */
function printDescription(
  { endpoint, parameters, columns, tables, queries, pages, slices }: CallDescription,
  { out }: Output,
): void {
  const { name, id, file, description } = endpoint;
  const lines = [
    `${name}  ${id}  ${file}`,
    ...(description === '' ? [] : description.split(/\r?\n/)),
    ...parameters.map(parameterLine),
    ...columns.map(columnLine),
    `reads ${tables.join(', ') || 'no table'}${queries.length === 0 ? '' : `, through ${queries.join(', ')}`}`,
    `the result ${pages}`,
    ...(slices === undefined ? [] : sliceSentences(slices)),
  ];
  // A line break in a name would leave the comment.
  out(lines.map((line) => `-- ${visibleText(line)}\n`).join(''));
}

function printStatements(sql: readonly string[], { out }: Output): void {
  out(`${sql.join(';\n')}\n`);
}

/** Prints DuckDB's plans, and what the engine would read. */
function printFurtherWork(
  { plan = [], bytesProcessed, rows, tables = [] }: EngineWork,
  { out }: Output,
): void {
  for (const each of plan) out(`\n${each.split('\n').map(visibleText).join('\n')}\n`);
  if (bytesProcessed === undefined) {
    if (tables.length > 0) out('-- what it would read is not known before it runs\n');
    return;
  }
  const ofRows = rows === undefined ? '' : ` of ${counted(rows, 'row')}`;
  out(`-- would read ${rows === undefined ? '' : 'up to '}${counted(bytesProcessed, 'byte')}${ofRows}\n`);
  for (const table of tables) {
    const whole = table.isWhole ? ', with no bound of time that leaves any out' : '';
    const name = visibleText(table.name);
    out(`--   ${name}: ${counted(table.bytes, 'byte')} of ${counted(table.rows, 'row')}${whole}\n`);
  }
}

/** The parts of a call that don't depend on its parameters. */
interface CallDescription {
  readonly endpoint: Pick<Endpoint, 'id' | 'name' | 'description' | 'file'>;
  readonly parameters: readonly DescribedParameter[];
  /** The columns of the result. */
  readonly columns: readonly DescribedColumn[];
  /** The tables that the query reads, as queries name them: `logs.edge_logs`. */
  readonly tables: readonly string[];
  /** The endpoints and views that the endpoint's query names: `endpoints.orders`. */
  readonly queries: readonly string[];
  readonly engine: Config['engine'];
  /** Whether the result can be read in pages, and why not otherwise: a sentence without its subject. */
  readonly pages: string;
  /** Absent if the engine has no slices. */
  readonly slices?: SliceFacts | undefined;
}

/** What the engine does for a call, and what it would read if that was asked. */
interface EngineWork extends Partial<Estimate> {
  /** The statements. Those after the first read columns of the first one's rows. */
  readonly sql: readonly string[];
  /** DuckDB's plans of the statements. */
  readonly plan?: readonly string[] | undefined;
}

function describeCall(
  { id, name, description, file, parameters, composition }: Endpoint,
  plan: Plan,
  engine: Config['engine'],
): CallDescription {
  return {
    endpoint: { id, name, description, file },
    parameters: describeParameters(parameters),
    columns: describeColumns(plan.columns),
    tables: plan.tables,
    queries: composition?.reads ?? [],
    engine,
    pages: pagingSentence(plan.paging),
  };
}
