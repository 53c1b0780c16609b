import type { NonEmpty, Weighted } from '../../made-up-rows/making/random.ts';
import type { DatabaseMessage } from '../rows/postgres-row.ts';
import type { Table } from '../vocabulary/projects.ts';

/** A kind of request to a table, its status on success, and its SQL statement. */
interface TableOperation {
  readonly method: string;
  readonly status: number;
  readonly command: string;
  readonly search: (table: Table, value: number) => string;
  readonly statement: (table: Table) => string;
  readonly failures: NonEmpty<Weighted<TableFailure>>;
}

/** A possible failure of a request to a table, and the database's message. */
interface TableFailure {
  readonly status: number;
  readonly millis: number;
  readonly message: (
    table: Table,
    value: number,
  ) => Pick<DatabaseMessage, 'text' | 'state' | 'detail' | 'hint'>;
}

const duplicateKey: TableFailure = {
  status: 409,
  millis: 9,
  message: ({ name, unique }, value) => ({
    text: `duplicate key value violates unique constraint "${name}_${unique}_key"`,
    state: '23505',
    detail: `Key (${unique})=(${value}) already exists.`,
  }),
};

const policyViolation: TableFailure = {
  status: 403,
  millis: 6,
  message: ({ name }) => ({
    text: `new row violates row-level security policy for table "${name}"`,
    state: '42501',
  }),
};

const missingColumn: TableFailure = {
  status: 400,
  millis: 4,
  message: ({ name, filter }) => ({
    text: `column ${name}.${filter}_old does not exist`,
    state: '42703',
    hint: `Perhaps you meant to reference the column "${name}.${filter}".`,
  }),
};

const statementTimeout: TableFailure = {
  status: 500,
  millis: 8_000,
  message: () => ({ text: 'canceling statement due to statement timeout', state: '57014' }),
};

const select: TableOperation = {
  method: 'GET',
  status: 200,
  command: 'SELECT',
  search: ({ filter }, value) => `?select=*&${filter}=eq.${value}&limit=50`,
  statement: ({ name, filter }) => `SELECT * FROM public.${name} WHERE ${filter} = $1 LIMIT 50`,
  failures: [
    [3, missingColumn],
    [2, statementTimeout],
  ],
};

const insert: TableOperation = {
  method: 'POST',
  status: 201,
  command: 'INSERT',
  search: () => '',
  statement: ({ name, unique }) => `INSERT INTO public.${name} (${unique}) SELECT $1`,
  failures: [
    [5, duplicateKey],
    [4, policyViolation],
  ],
};

const update: TableOperation = {
  method: 'PATCH',
  status: 204,
  command: 'UPDATE',
  search: ({ unique }, value) => `?${unique}=eq.${value}`,
  statement: ({ name, filter, unique }) => `UPDATE public.${name} SET ${filter} = $1 WHERE ${unique} = $2`,
  failures: [
    [2, policyViolation],
    [2, duplicateKey],
    [1, statementTimeout],
  ],
};

const remove: TableOperation = {
  method: 'DELETE',
  status: 204,
  command: 'DELETE',
  search: ({ unique }, value) => `?${unique}=eq.${value}`,
  statement: ({ name, unique }) => `DELETE FROM public.${name} WHERE ${unique} = $1`,
  failures: [
    [1, missingColumn],
    [1, statementTimeout],
  ],
};

export const tableOperations: NonEmpty<Weighted<TableOperation>> = [
  [62, select],
  [16, insert],
  [11, update],
  [4, remove],
];
