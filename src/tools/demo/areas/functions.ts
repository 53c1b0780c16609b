import { createHash } from 'node:crypto';
import { asUuid } from '../../made-up-rows/making/random.ts';
import { type Area, type Call, newRay, roleOf } from '../rows/call.ts';
import { edgeRow } from '../rows/edge-row.ts';
import { type FunctionMessage, functionEdgeRow, functionRow } from '../rows/function-rows.ts';

const known = new Map<string, string>();

/** The UUID for a name. Equal names have equal UUIDs. */
function stableUuid(name: string): string {
  let uuid = known.get(name);
  if (uuid === undefined) {
    uuid = asUuid(createHash('sha256').update(name).digest('hex'));
    known.set(name, uuid);
  }
  return uuid;
}

const crashRate = 0.02;
/** The probability that no instance is warm and one must be started. */
const coldStartRate = 0.12;
const startMillis = 70;

/** A visitor calls a function. The runtime logs the start and end of instances. */
export const visitFunctions: Area = (scene) => {
  const { random, project } = scene;
  const name = random.pickEarly(project.functions);
  const isCold = random.chance(coldStartRate);
  const crashes = random.chance(crashRate);
  const millis = random.duration(140) + (isCold ? startMillis : 0);
  const call: Call = {
    method: 'POST',
    path: `/functions/v1/${name}`,
    search: '',
    status: crashes ? 500 : 200,
    millis,
    bytes: random.integer(12, 900),
    contentType: 'application/json',
    errorCode: crashes ? 'FUNCTION_ERROR' : null,
    role: roleOf(scene),
    ray: newRay(scene),
  };
  const execution = {
    functionId: stableUuid(`${project.ref}/${name}`),
    executionId: random.uuid(),
    version: 3 + (name.length % 5),
  };
  const messages: FunctionMessage[] = [
    crashes
      ? {
          millisBefore: 2,
          text: `TypeError: Cannot read properties of undefined (reading 'id')\n    at ${name}/index.ts:41:17`,
          type: 'UncaughtException',
          level: 'error',
        }
      : {
          millisBefore: millis / 2,
          text: `${name}: done in ${Math.round(millis)} ms`,
          type: 'Log',
          level: 'info',
        },
  ];
  if (isCold) {
    const text = `booted (time: ${startMillis}ms)`;
    messages.push({ millisBefore: millis, text, type: 'Boot', level: 'log' });
    messages.push({ millisBefore: 1, text: 'shutdown', type: 'Shutdown', level: 'log' });
  }
  return [
    edgeRow(scene, call),
    functionEdgeRow(scene, call, execution),
    ...messages.map((message) => functionRow(scene, call, execution, message)),
  ];
};
