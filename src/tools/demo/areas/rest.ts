import type { NonEmpty, Weighted } from '../../made-up-rows/making/random.ts';
import type { DemoRow } from '../rows/call.ts';
import { type Area, before, type Call, newRay, roleOf, type Scene } from '../rows/call.ts';
import { type DatabaseMessage, postgresRow, postgrestRow } from '../rows/database-rows.ts';
import { edgeRow } from '../rows/edge-row.ts';
import type { Table } from '../vocabulary/projects.ts';

const failureRate = 0.035;
const expiredTokenRate = 0.012;
/** The database logs slower statements, in milliseconds. */
const slowAfter = 400;

/** A request to a table, a procedure call, or a browser's CORS preflight. */
export const visitRest: Area = (scene) => {
  const kind = scene.random.fraction();
  if (kind < 0.06) return answered(scene, preflight(scene));
  if (kind < 0.13) return answered(scene, procedureCall(scene));
  return tableRequest(scene);
};

function tableRequest(scene: Scene): readonly DemoRow[] {
  const { random, project } = scene;
  const table = random.pickEarly(project.tables);
  const value = random.integer(1, 90_000);
  const operation = random.weighted(tableOperations);
  const failure = random.chance(failureRate) ? random.weighted(operation.failures) : undefined;
  const expired = random.chance(expiredTokenRate);
  const call: Call = {
    ...shared(scene),
    method: operation.method,
    path: `/rest/v1/${table.name}`,
    search: operation.search(table, value),
    status: expired ? 401 : (failure?.status ?? operation.status),
    millis: expired ? 2 : failure === undefined ? random.duration(28) : failure.millis + random.duration(5),
    bytes: operation.status === 204 ? 0 : random.integer(2, 24_000),
    errorCode: expired ? 'bad_jwt' : null,
  };
  if (expired) return answered(scene, call);

  const message = failure?.message(table, value);
  if (message === undefined && call.millis <= slowAfter) return answered(scene, call);
  const statement = operation.statement(table);
  const row = postgresRow(random, project, {
    at: before(scene, 2),
    severity: message === undefined ? 'LOG' : 'ERROR',
    ...(message ?? { text: `duration: ${call.millis.toFixed(3)} ms  execute <unnamed>: ${statement}` }),
    query: statement,
    command: operation.command,
    user: 'authenticator',
    application: 'rest',
    backend: 'client backend',
  });
  return [...answered(scene, call), row];
}

function procedureCall(scene: Scene): Call {
  const { random, project } = scene;
  return {
    ...shared(scene),
    method: 'POST',
    path: `/rest/v1/rpc/${random.pick(project.procedures)}`,
    search: '',
    status: 200,
    millis: random.duration(45),
    bytes: random.integer(20, 6_000),
    errorCode: null,
  };
}

function preflight(scene: Scene): Call {
  const { random, project } = scene;
  return {
    ...shared(scene),
    method: 'OPTIONS',
    path: `/rest/v1/${random.pickEarly(project.tables).name}`,
    search: '',
    status: 200,
    millis: random.duration(2),
    bytes: 0,
    errorCode: null,
  };
}

function shared(scene: Scene) {
  return { contentType: 'application/json; charset=utf-8', role: roleOf(scene), ray: newRay(scene) };
}

function answered(scene: Scene, call: Call): readonly DemoRow[] {
  return [edgeRow(scene, call), postgrestRow(scene, call)];
}

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

const tableOperations: NonEmpty<Weighted<TableOperation>> = [
  [62, select],
  [16, insert],
  [11, update],
  [4, remove],
];
