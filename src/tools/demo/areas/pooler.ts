import { type Area, before } from '../rows/call.ts';
import { pgbouncerRow, postgresRow } from '../rows/database-rows.ts';

const refusalRate = 0.02;

/** A program connects to the database through the pooler, without any request at the edge. */
export const visitPooler: Area = (scene) => {
  const { random, project, visitor } = scene;
  const address = `${visitor.address}:${random.integer(32_768, 60_999)}`;
  const who = `C-0x${random.hex(12)}: postgres/app_${project.region.slice(0, 2)}@${address}`;
  if (random.chance(refusalRate)) {
    const failure = postgresRow(random, project, {
      at: before(scene, 3),
      text: 'password authentication failed for user "postgres"',
      severity: 'FATAL',
      state: '28P01',
      command: 'authentication',
      user: 'postgres',
      backend: 'client backend',
    });
    const text = `${who} closing because: password authentication failed (age=0s)`;
    return [failure, pgbouncerRow(random, project, scene.at, text)];
  }
  const login = `${who} login attempt: db=postgres user=postgres tls=TLSv1.3`;
  const end = `${who} closing because: client close request (age=${random.integer(1, 300)}s)`;
  return [pgbouncerRow(random, project, scene.at, random.chance(0.5) ? login : end)];
};
