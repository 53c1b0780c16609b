import type { EngineDefinition } from '../../../../src/app/engines/engine/engine-definition.ts';
import { GatewayError } from '../../../../src/base/errors/errors.ts';
import type { Engine, EngineRequest } from '../../../../src/engines/engine/engine.ts';
import { rowsInMemory } from '../../../../src/engines/rows/result-rows.ts';
import { columnsOfRows } from '../../../../src/sql/columns/columns-of-rows.ts';
import { type Plan, statementOf } from '../../../../src/sql/plan/plan.ts';
import { type AnyNode, asList, asMessage, unwrap } from '../../../../src/sql/resolved/node.ts';
import { unsupported } from '../../../../src/sql/resolved/unsupported.ts';
import type { Row, Value } from '../../../../src/sql/values/value.ts';

/** Rows by the names of their columns. */
type Rows = readonly Readonly<Record<string, Value>>[];

/** Rows by the names of tables, such as `logs.things`. */
export type Tables = Readonly<Record<string, Rows>>;

/**
 * An engine over fixed rows in memory. It runs `SELECT <columns> FROM <table> [WHERE <column> = @<parameter>]`, and refuses
 * everything else by name.
 */
export function memoryEngine(tables: Tables): EngineDefinition {
  const unchanging = 'The engine in memory has the rows that it was made with';
  const checkPlan = async (plan: Plan) => void select(plan, tables, new Map());
  const engine: Engine = {
    name: 'memory',
    async run({ plan, parameters, maxRows }) {
      const rows = select(plan, tables, parameters);
      const kept = rowsInMemory(rows.slice(0, maxRows));
      return { columns: plan.columns, rows: kept, truncated: rows.length > maxRows, engineMs: 0 };
    },
    async stream({ plan, parameters, maxRows }, take) {
      const rows = select(plan, tables, parameters);
      await take(columnsOfRows(plan.columns, rows.slice(0, maxRows)));
      return { truncated: rows.length > maxRows, engineMs: 0 };
    },
    estimate: async ({ plan }) => ({ bytesProcessed: plan.tables.length * 1000 }),
    prepare: checkPlan,
    async close() {},
  };
  const refuseRows = () => Promise.reject(new GatewayError('NOT_FOUND', `${unchanging}.`));
  return {
    name: 'memory',
    isBilled: false,
    requiredVariables: [],
    elsewhere: {
      place: 'memory',
      refusal: (task) => `${unchanging}: it can't ${task} any.`,
      clockRefusal: '--now: the engine in memory has no clock',
      connect: async () => ({ engine, async [Symbol.asyncDispose]() {} }),
    },
    unstorable: async () => [],
    checkSources() {},
    checkPlan,
    unsupported: { isServed: true, describe: (reason) => `${reason}, which memory lacks` },
    hasFunction: () => false,
    launch: () => ({
      open: async () => ({
        engine,
        rows: { addEvents: refuseRows, receive: refuseRows },
        async useSources() {},
        health: () => ({ memory: 'full of rows' }),
        async close() {},
      }),
      async end() {},
    }),
    checkFiles: async (_config, { endpoints }) => ({
      bytes: new Map(endpoints.map(({ name, tables: read }) => [name, read.length * 1000])),
      problems: [],
    }),
    explain: {
      statements: async ({ request }: { request: EngineRequest }) => [request.plan.sql],
      plans: '--plan: the engine in memory has no plans',
      cost: ({ request }) => engine.estimate(request),
    },
  };
}

/** @throws UnsupportedError naming what the engine lacks */
function select(plan: Plan, tables: Tables, parameters: ReadonlyMap<string, Value>): readonly Row[] {
  const { message: statement } = unwrap(statementOf(plan));
  const names = asList(statement.output_column_list, 'output_column_list').map((output) =>
    nameOf(asMessage(output, 'output')),
  );
  const rows = scan(asMessage(statement.query, 'query'), tables, parameters);
  return rows.map((row) => names.map((name) => row[name] ?? null));
}

function scan(node: AnyNode, tables: Tables, parameters: ReadonlyMap<string, Value>): Rows {
  const { kind, message } = unwrap(node);
  const input = () => scan(asMessage(message.input_scan, 'input_scan'), tables, parameters);
  if (kind === 'resolved_table_scan_node')
    return tables[String(asMessage(message.table, 'table').name)] ?? [];
  if (kind === 'resolved_project_scan_node') {
    if (asList(message.expr_list, 'expr_list').length > 0) throw unsupported('computed columns');
    return input();
  }
  if (kind === 'resolved_filter_scan_node') {
    const isWanted = condition(unwrap(asMessage(message.filter_expr, 'filter_expr')).message, parameters);
    return input().filter(isWanted);
  }
  throw unsupported(kind);
}

function condition(call: AnyNode, parameters: ReadonlyMap<string, Value>): (row: Rows[number]) => boolean {
  const { function: called } = asMessage(call.parent, 'parent');
  const { name } = asMessage(called, 'function');
  const [column, parameter] = asList(asMessage(call.parent, 'parent').argument_list, 'argument_list').map(
    (argument) => unwrap(asMessage(argument, 'argument')),
  );
  if (name !== 'ZetaSQL:$equal' || parameter?.kind !== 'resolved_parameter_node')
    throw unsupported(`conditions with ${String(name).replace('ZetaSQL:', '')}`);
  const [tested, value] = [nameOf(column?.message ?? {}), parameters.get(String(parameter.message.name))];
  return (row) => row[tested] === value;
}

function nameOf(reference: AnyNode): string {
  return String(asMessage(reference.column, 'column').name);
}
