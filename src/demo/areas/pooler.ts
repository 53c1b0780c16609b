import { type Area, before } from '../call.ts';
import { pgbouncerRow } from '../rows/pgbouncer-row.ts';
import { postgresRow } from '../rows/postgres-row.ts';

const refusalRate = 0.02;

/** A program connects to the database through the pooler; no request passes the edge. */
export const visitPooler: Area = (scene) => {
  const { dice, project, visitor } = scene;
  const address = `${visitor.address}:${dice.integer(32_768, 60_999)}`;
  const who = `C-0x${dice.hex(12)}: postgres/app_${project.region.slice(0, 2)}@${address}`;
  if (dice.chance(refusalRate)) {
    const failure = postgresRow(dice, project, {
      at: before(scene, 3),
      text: 'password authentication failed for user "postgres"',
      severity: 'FATAL',
      state: '28P01',
      command: 'authentication',
      user: 'postgres',
      backend: 'client backend',
    });
    const text = `${who} closing because: password authentication failed (age=0s)`;
    return [failure, pgbouncerRow(dice, project, scene.at, text)];
  }
  const login = `${who} login attempt: db=postgres user=postgres tls=TLSv1.3`;
  const end = `${who} closing because: client close request (age=${dice.integer(1, 300)}s)`;
  return [pgbouncerRow(dice, project, scene.at, dice.chance(0.5) ? login : end)];
};
