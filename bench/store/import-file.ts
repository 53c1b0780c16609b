import { DuckDBInstance } from '@duckdb/node-api';
import { stringLiteral } from '../../src/engines/duckdb/dialect/literal.ts';
import { edgeRowsSql } from './edge-rows.ts';

const span = 30n * 86_400_000_000n;

/** The format of a file, by its extension. */
const formats = {
  ndjson: `(FORMAT json, TIMESTAMPFORMAT '%Y-%m-%dT%H:%M:%S.%fZ')`,
  parquet: '(FORMAT parquet)',
};

/** Writes a file of made-up `edge_logs` rows up to `now`, from thirty days before it unless another begin is given. */
export async function importFile(
  file: string,
  {
    rows,
    now,
    from = now - span,
    format = 'ndjson',
  }: {
    readonly rows: number;
    readonly now: bigint;
    readonly from?: bigint;
    readonly format?: keyof typeof formats;
  },
): Promise<void> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const select = edgeRowsSql({ rows, from, to: now, seed: now });
  await connection.run(`COPY (${select}) TO ${stringLiteral(file)} ${formats[format]}`);
  connection.closeSync();
  instance.closeSync();
}
