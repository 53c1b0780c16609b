import { isoMicros } from '../../made-up-rows/making/instant.ts';
import type { Random } from '../../made-up-rows/making/random.ts';
import type { Project } from '../vocabulary/projects.ts';
import type { DemoRow } from './demo-row.ts';

/** The row of the connection pooler. */
export function pgbouncerRow(random: Random, project: Project, at: number, message: string): DemoRow {
  return {
    source: 'pgbouncer_logs',
    at,
    row: {
      id: random.uuid(),
      timestamp: isoMicros(at),
      event_message: message,
      project: project.ref,
      metadata: [{ host: `db-${project.ref}` }],
    },
  };
}
