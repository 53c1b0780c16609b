import { type Area, before, type Call, newRay, roleOf, type Scene } from '../rows/call.ts';
import type { DemoRow } from '../rows/demo-row.ts';
import { edgeRow } from '../rows/edge-row.ts';
import { postgresRow } from '../rows/postgres-row.ts';
import { postgrestRow } from '../rows/postgrest-row.ts';
import { tableOperations } from './table-operations.ts';

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
