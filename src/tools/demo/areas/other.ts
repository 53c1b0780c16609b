import { type Area, type Call, newRay, roleOf } from '../rows/call.ts';
import { edgeRow } from '../rows/edge-row.ts';

/** A request outside the areas: a GraphQL query, or a scan for vulnerable paths. */
export const visitOther: Area = (scene) => {
  const { random } = scene;
  const stranger = random.chance(0.3);
  const call: Call = {
    method: stranger ? 'GET' : 'POST',
    path: stranger ? random.pick(['/', '/favicon.ico', '/.env', '/wp-login.php']) : '/graphql/v1',
    search: '',
    status: stranger ? 404 : 200,
    millis: random.duration(stranger ? 1 : 32),
    bytes: random.integer(20, 5_000),
    contentType: 'application/json; charset=utf-8',
    errorCode: null,
    role: stranger ? 'anon' : roleOf(scene),
    ray: newRay(scene),
  };
  return [edgeRow(scene, call)];
};
