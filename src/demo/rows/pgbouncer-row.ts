import type { DemoRow } from '../demo-row.ts';
import { isoMicros } from '../instant.ts';
import type { Dice } from '../random.ts';
import type { Project } from '../vocabulary/projects.ts';

/** The row of the connection pooler. */
export function pgbouncerRow(dice: Dice, project: Project, at: number, message: string): DemoRow {
  return {
    source: 'pgbouncer_logs',
    at,
    row: {
      id: dice.uuid(),
      timestamp: isoMicros(at),
      event_message: message,
      project: project.ref,
      metadata: [{ host: `db-${project.ref}` }],
    },
  };
}
