import type { DemoRow } from './demo-row.ts';
import type { Dice } from './random.ts';
import { pgbouncerRow } from './rows/pgbouncer-row.ts';
import { postgresRow } from './rows/postgres-row.ts';
import { type Project, projects } from './vocabulary/projects.ts';

const microsPerSecond = 1_000_000;
/** Seconds between the lines that each server writes by itself: each a multiple of the first. */
const poolerStatsEvery = 600;
const checkpointEvery = 3 * poolerStatsEvery;
const vacuumEvery = 9 * poolerStatsEvery;

/**
 * What the servers of all projects write without being asked, in one second: figures, checkpoints, vacuums. Each
 * project has its own moment within the period.
 *
 * @param start where the second begins, in microseconds since the epoch
 */
export function housekeeping(dice: Dice, start: number): readonly DemoRow[] {
  const rows: DemoRow[] = [];
  for (const [index, project] of projects.entries()) {
    const moment = start / microsPerSecond + index * 97;
    if (moment % poolerStatsEvery !== 0) continue;
    const at = start + dice.integer(0, microsPerSecond - 1);
    rows.push(pgbouncerRow(dice, project, at, poolerStats(dice, project)));
    if (moment % checkpointEvery === 0) rows.push(checkpoint(dice, project, at));
    if (moment % vacuumEvery === 0) rows.push(vacuum(dice, project, at));
  }
  return rows;
}

function poolerStats(dice: Dice, { share }: Project): string {
  const queries = Math.round(share * dice.integer(60, 140));
  const transaction = dice.integer(300, 4_000);
  return [
    `stats: ${Math.round(queries / 2)} xacts/s, ${queries} queries/s`,
    `in ${queries * dice.integer(90, 300)} B/s, out ${queries * dice.integer(400, 2_500)} B/s`,
    `xact ${transaction} us, query ${Math.round(transaction / 2)} us, wait ${dice.integer(0, 60)} us`,
  ].join(', ');
}

function checkpoint(dice: Dice, project: Project, at: number): DemoRow {
  const buffers = dice.integer(20, 900);
  const seconds = (buffers / 10).toFixed(3);
  return postgresRow(dice, project, {
    at,
    text: `checkpoint complete: wrote ${buffers} buffers (${(buffers / 163.84).toFixed(1)}%); total=${seconds} s`,
    severity: 'LOG',
    user: null,
    backend: 'checkpointer',
  });
}

function vacuum(dice: Dice, project: Project, at: number): DemoRow {
  const { name } = dice.pickEarly(project.tables);
  return postgresRow(dice, project, {
    at,
    text: `automatic vacuum of table "postgres.public.${name}": index scans: 1`,
    severity: 'LOG',
    user: null,
    backend: 'autovacuum worker',
  });
}
