import type { Random } from '../made-up-rows/making/random.ts';
import type { DemoRow } from './rows/call.ts';
import { pgbouncerRow, postgresRow } from './rows/database-rows.ts';
import { type Project, projects } from './vocabulary/projects.ts';

const microsPerSecond = 1_000_000;
/** The intervals of each server's own messages, in seconds: each a multiple of the first. */
const poolerStatsEvery = 600;
const checkpointEvery = 3 * poolerStatsEvery;
const vacuumEvery = 9 * poolerStatsEvery;

/**
 * The messages that the servers of all projects log on their own in one second: statistics, checkpoints, vacuums. Each
 * project has its own moment within the interval.
 *
 * @param start the start of the second, in microseconds since the epoch
 */
export function housekeeping(random: Random, start: number): readonly DemoRow[] {
  const rows: DemoRow[] = [];
  for (const [index, project] of projects.entries()) {
    const moment = start / microsPerSecond + index * 97;
    if (moment % poolerStatsEvery !== 0) continue;
    const at = start + random.integer(0, microsPerSecond - 1);
    rows.push(pgbouncerRow(random, project, at, poolerStats(random, project)));
    if (moment % checkpointEvery === 0) rows.push(checkpoint(random, project, at));
    if (moment % vacuumEvery === 0) rows.push(vacuum(random, project, at));
  }
  return rows;
}

function poolerStats(random: Random, { share }: Project): string {
  const queries = Math.round(share * random.integer(60, 140));
  const transaction = random.integer(300, 4_000);
  return [
    `stats: ${Math.round(queries / 2)} xacts/s, ${queries} queries/s`,
    `in ${queries * random.integer(90, 300)} B/s, out ${queries * random.integer(400, 2_500)} B/s`,
    `xact ${transaction} us, query ${Math.round(transaction / 2)} us, wait ${random.integer(0, 60)} us`,
  ].join(', ');
}

function checkpoint(random: Random, project: Project, at: number): DemoRow {
  const buffers = random.integer(20, 900);
  const seconds = (buffers / 10).toFixed(3);
  return postgresRow(random, project, {
    at,
    text: `checkpoint complete: wrote ${buffers} buffers (${(buffers / 163.84).toFixed(1)}%); total=${seconds} s`,
    severity: 'LOG',
    user: null,
    backend: 'checkpointer',
  });
}

function vacuum(random: Random, project: Project, at: number): DemoRow {
  const { name } = random.pickEarly(project.tables);
  return postgresRow(random, project, {
    at,
    text: `automatic vacuum of table "postgres.public.${name}": index scans: 1`,
    severity: 'LOG',
    user: null,
    backend: 'autovacuum worker',
  });
}
