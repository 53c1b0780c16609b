import type { LqlTable } from '../../../../src/sql/lql/compile/compile-lql.ts';
import type { Column, ScalarTypeName, SqlType } from '../../../../src/sql/values/type.ts';

const column = (name: string, type: ScalarTypeName | SqlType): Column => ({
  name,
  type: typeof type === 'string' ? { kind: type } : type,
});
const list = (element: ScalarTypeName | SqlType): SqlType => ({
  kind: 'ARRAY',
  element: typeof element === 'string' ? { kind: element } : element,
});
const record = (...fields: Column[]): SqlType => ({ kind: 'STRUCT', fields });

const metadata = column(
  'metadata',
  list(
    record(
      column('level', 'STRING'),
      column('status', 'INT64'),
      column('tags', list('STRING')),
      column('user', record(column('name', 'STRING'))),
      column('request', list(record(column('path', 'STRING'), column('ms', 'FLOAT64')))),
    ),
  ),
);

/** A table with a column of each type that LQL knows how to compare. */
export const edgeLogs: LqlTable = {
  name: 'edge_logs',
  columns: [
    column('id', 'STRING'),
    column('timestamp', 'TIMESTAMP'),
    column('event_message', 'STRING'),
    column('cached', 'BOOL'),
    column('n', 'INT64'),
    column('x', 'FLOAT64'),
    column('price', 'NUMERIC'),
    column('big', 'BIGNUMERIC'),
    column('seen', 'TIMESTAMP'),
    column('at', 'DATETIME'),
    column('day', 'DATE'),
    column('clock', 'TIME'),
    column('raw', 'BYTES'),
    column('body', 'JSON'),
    column('numbers', list('INT64')),
    metadata,
  ],
};

/** A table that has nothing but a number. */
export const counters: LqlTable = { name: 'counters', columns: [column('n', 'INT64')] };

/** A table of the columns with the types. */
export function tableOf(columns: Readonly<Record<string, ScalarTypeName>>): LqlTable {
  return {
    name: 'events',
    columns: Object.entries(columns).map(([name, type]) => column(name, type)),
  };
}
