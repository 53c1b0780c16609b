import { isoMicros } from '../../made-up-rows/making/instant.ts';
import type { MadeUpValue } from '../../made-up-rows/making/made-up-row.ts';
import type { Random } from '../../made-up-rows/making/random.ts';
import type { Project } from '../vocabulary/projects.ts';
import type { DemoRow } from './demo-row.ts';

/** A line of the realtime service's log. */
export interface RealtimeMessage {
  readonly at: number;
  readonly text: string;
  readonly level: 'debug' | 'info' | 'warning' | 'error';
  /** The part of the service that logged it. */
  readonly module: string;
  readonly line: number;
  readonly measurements?: MadeUpValue;
}

/** The row of the realtime service. */
export function realtimeRow(random: Random, project: Project, message: RealtimeMessage): DemoRow {
  return {
    source: 'realtime_logs',
    at: message.at,
    row: {
      id: random.uuid(),
      timestamp: isoMicros(message.at),
      event_message: message.text,
      metadata: [
        {
          project: project.ref,
          external_id: project.ref,
          level: message.level,
          context: [{ application: 'realtime', module: message.module, line: message.line }],
          measurements: message.measurements === undefined ? [] : [message.measurements],
        },
      ],
    },
  };
}
