import { type Area, before, type Call, newRay, roleOf, type Scene } from '../call.ts';
import type { DemoRow } from '../demo-row.ts';
import type { NonEmpty, Weighted } from '../dice.ts';
import { edgeRow } from '../rows/edge-row.ts';
import { type DatabaseMessage, postgresRow } from '../rows/postgres-row.ts';
import { postgrestRow } from '../rows/postgrest-row.ts';
import type { Table } from '../vocabulary/projects.ts';

/** A kind of request to a table, the status it has when all is well, and the statement it becomes. */
interface Operation {
  readonly method: string;
  readonly status: number;
  readonly command: string;
  readonly search: (table: Table, value: number) => string;
  readonly statement: (table: Table) => string;
}

const operations: NonEmpty<Weighted<Operation>> = [
  [
    62,
    {
      method: 'GET',
      status: 200,
      command: 'SELECT',
      search: ({ filter }, value) => `?select=*&${filter}=eq.${value}&limit=50`,
      statement: ({ name, filter }) => `SELECT * FROM public.${name} WHERE ${filter} = $1 LIMIT 50`,
    },
  ],
  [
    16,
    {
      method: 'POST',
      status: 201,
      command: 'INSERT',
      search: () => '',
      statement: ({ name, unique }) => `INSERT INTO public.${name} (${unique}) SELECT $1`,
    },
  ],
  [
    11,
    {
      method: 'PATCH',
      status: 204,
      command: 'UPDATE',
      search: ({ unique }, value) => `?${unique}=eq.${value}`,
      statement: ({ name, filter, unique }) =>
        `UPDATE public.${name} SET ${filter} = $1 WHERE ${unique} = $2`,
    },
  ],
  [
    4,
    {
      method: 'DELETE',
      status: 204,
      command: 'DELETE',
      search: ({ unique }, value) => `?${unique}=eq.${value}`,
      statement: ({ name, unique }) => `DELETE FROM public.${name} WHERE ${unique} = $1`,
    },
  ],
];

/** How a request to a table can go wrong, and what the database has to say about it. */
interface Failure {
  readonly status: number;
  readonly millis: number;
  readonly message: (
    table: Table,
    value: number,
  ) => Pick<DatabaseMessage, 'text' | 'state' | 'detail' | 'hint'>;
}

const failures: NonEmpty<Weighted<Failure>> = [
  [
    5,
    {
      status: 409,
      millis: 9,
      message: ({ name, unique }, value) => ({
        text: `duplicate key value violates unique constraint "${name}_${unique}_key"`,
        state: '23505',
        detail: `Key (${unique})=(${value}) already exists.`,
      }),
    },
  ],
  [
    4,
    {
      status: 403,
      millis: 6,
      message: ({ name }) => ({
        text: `new row violates row-level security policy for table "${name}"`,
        state: '42501',
      }),
    },
  ],
  [
    3,
    {
      status: 404,
      millis: 4,
      message: ({ name }) => ({
        text: `relation "public.${name}_archive" does not exist`,
        state: '42P01',
      }),
    },
  ],
  [
    2,
    {
      status: 500,
      millis: 8_000,
      message: () => ({ text: 'canceling statement due to statement timeout', state: '57014' }),
    },
  ],
];

const failureRate = 0.035;
const expiredTokenRate = 0.012;
/** The database logs statements that take longer than this, in milliseconds. */
const slowAfter = 400;

/** A request to a table, a procedure call, or a browser asking for permission first. */
export const visitRest: Area = (scene) => {
  const kind = scene.dice.fraction();
  if (kind < 0.06) return answered(scene, preflight(scene));
  if (kind < 0.13) return answered(scene, procedureCall(scene));
  return tableRequest(scene);
};

function tableRequest(scene: Scene): readonly DemoRow[] {
  const { dice, project } = scene;
  const table = dice.pickEarly(project.tables);
  const value = dice.integer(1, 90_000);
  const operation = dice.weighted(operations);
  const failure = dice.chance(failureRate) ? dice.weighted(failures) : undefined;
  const expired = dice.chance(expiredTokenRate);
  const call: Call = {
    ...shared(scene),
    method: operation.method,
    path: `/rest/v1/${table.name}`,
    search: operation.search(table, value),
    status: expired ? 401 : (failure?.status ?? operation.status),
    millis: expired ? 2 : failure === undefined ? dice.duration(28) : failure.millis + dice.duration(5),
    bytes: operation.status === 204 ? 0 : dice.integer(2, 24_000),
    errorCode: expired ? 'bad_jwt' : null,
  };
  if (expired) return answered(scene, call);

  const message = failure?.message(table, value);
  if (message === undefined && call.millis <= slowAfter) return answered(scene, call);
  const statement = operation.statement(table);
  const row = postgresRow(dice, project, {
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
  const { dice, project } = scene;
  return {
    ...shared(scene),
    method: 'POST',
    path: `/rest/v1/rpc/${dice.pick(project.procedures)}`,
    search: '',
    status: 200,
    millis: dice.duration(45),
    bytes: dice.integer(20, 6_000),
    errorCode: null,
  };
}

function preflight(scene: Scene): Call {
  const { dice, project } = scene;
  return {
    ...shared(scene),
    method: 'OPTIONS',
    path: `/rest/v1/${dice.pickEarly(project.tables).name}`,
    search: '',
    status: 200,
    millis: dice.duration(2),
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
