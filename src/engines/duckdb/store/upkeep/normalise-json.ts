import { type DuckDBConnection, DuckDBScalarFunction, VARCHAR } from '@duckdb/node-api';
import type { Source } from '../../../../definitions/sources/source.ts';
import { elementType, type SqlType } from '../../../../sql/values/type.ts';
import { quoteIdentifier } from '../../dialect/duck-type.ts';
import { literalSql } from '../../dialect/literal.ts';
import { repairedJson } from '../../udf/json/parser.ts';
import { fieldPath, recordType } from '../tables/flat-layout.ts';
import { hasNormalisedJson, noteNormalisedJson } from '../tables/metadata.ts';
import { type RowTable, rowTables } from '../tables/row-table.ts';
import { countRows } from '../tables/table-state.ts';
import { blockRows } from '../tables/time-order.ts';
import { inTransaction } from '../transactions/transaction.ts';

const functionName = 'gateway_repaired_json';

/** Rows of one step, whose changes are in memory. */
const stepRows = 2 * blockRows;

/** There are no readers yet. */
const nobodyReads = () => undefined;

interface NormaliseOptions {
  /** Called before the rows of a source are changed. */
  readonly onSource?: (source: string) => void;
}

/**
 * Brings JSON values that older versions stored as they were sent into the one form of the type JSON, once for each source:
 * see `repairedJson`. If the process ends, the next opening begins with the source again. No reader may use the store before.
 */
export async function normaliseJson(
  connection: DuckDBConnection,
  sources: readonly Source[],
  { onSource = () => undefined }: NormaliseOptions = {},
): Promise<void> {
  let isRegistered = false;
  for (const source of sources) {
    if (jsonLeaves(source, 'flat').length === 0 || (await hasNormalisedJson(connection, source.name)))
      continue;
    if (!isRegistered) register(connection);
    isRegistered = true;
    onSource(source.name);
    for (const table of rowTables(source)) await normaliseTable(connection, source, table);
    await noteNormalisedJson(connection, source.name);
  }
}

/** A column of a table with JSON in lists of this many levels. */
interface JsonLeaf {
  readonly name: string;
  readonly levels: number;
}

async function normaliseTable(connection: DuckDBConnection, source: Source, table: RowTable): Promise<void> {
  const leaves = jsonLeaves(source, table.schema);
  const changes = leaves.map(({ name, levels }) => `${quoteIdentifier(name)} = ${repaired(name, levels)}`);
  const isThere = leaves.map(({ name }) => `${quoteIdentifier(name)} IS NOT NULL`);
  for (const range of await timeConditions(connection, table)) {
    await inTransaction(connection, nobodyReads, () =>
      connection.run(
        `UPDATE ${table.sql} SET ${changes.join(', ')} WHERE ${range} AND (${isThere.join(' OR ')})`,
      ),
    );
    // From now on, the space of the values before can be used again.
    await connection.run('CHECKPOINT');
  }
}

/** Conditions that divide the rows of a table into steps. Unlike row ids, times stay when DuckDB moves rows. */
async function timeConditions(connection: DuckDBConnection, table: RowTable): Promise<string[]> {
  const { time } = table.key;
  const steps = Math.ceil((await countRows(connection, table)) / stepRows);
  if (steps === 0) return [];
  const shares = Array.from({ length: steps - 1 }, (_, i) => (i + 1) / steps);
  const reader = await connection.runAndReadAll(
    `SELECT DISTINCT epoch_us(unnest(quantile_disc(${time}, [${[...shares, 1].join(', ')}]))) AS micros
     FROM ${table.sql} ORDER BY micros`,
  );
  const ends = reader.getRows().map(([micros]) => literalSql({ kind: 'TIMESTAMP' }, BigInt(String(micros))));
  return ends.map((end, i) => {
    const start = ends[i - 1];
    return `${time} <= ${end}${start === undefined ? '' : ` AND ${time} > ${start}`}`;
  });
}

function repaired(name: string, levels: number): string {
  const within = (value: string, left: number): string =>
    left === 0
      ? `${functionName}(${value})`
      : `list_transform(${value}, lambda e${left}: ${within(`e${left}`, left - 1)})`;
  return within(quoteIdentifier(name), levels);
}

function register(connection: DuckDBConnection): void {
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name: functionName,
      parameterTypes: [VARCHAR],
      returnType: VARCHAR,
      mainFunction: (_, input, output) => {
        const texts = input.getColumnVector(0);
        for (let row = 0; row < input.rowCount; row++) {
          const text = texts.getItem(row);
          output.setItem(row, typeof text === 'string' ? repairedJson(text) : null);
        }
        output.flush();
      },
    }),
  );
}

/** The columns of a source's flat or list table that hold JSON. */
function jsonLeaves({ columns }: Source, schema: RowTable['schema']): JsonLeaf[] {
  const leavesOf = (name: string, type: SqlType, levels: number): JsonLeaf[] => {
    const isRepeated = type.kind === 'ARRAY';
    const record = recordType(type);
    if (record === undefined)
      return elementType(type).kind === 'JSON' ? [{ name, levels: levels + (isRepeated ? 1 : 0) }] : [];
    const inner = isRepeated && schema === 'lists' ? levels + 1 : levels;
    return record.fields.flatMap((field, i) => leavesOf(fieldPath(name, record, i), field.type, inner));
  };
  return columns.flatMap(({ name, type }) => leavesOf(name, type, 0));
}
