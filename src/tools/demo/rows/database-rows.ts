import { accessLogTime, isoMicros, postgresTime } from '../../made-up-rows/making/instant.ts';
import type { Random } from '../../made-up-rows/making/random.ts';
import type { Project } from '../vocabulary/projects.ts';
import { before, type Call, type DemoRow, type Scene } from './call.ts';

/** A line of the database server's log. */
export interface DatabaseMessage {
  readonly at: number;
  readonly text: string;
  readonly severity: 'LOG' | 'WARNING' | 'ERROR' | 'FATAL';
  /** The SQLSTATE; `00000` unless something failed. */
  readonly state?: string;
  readonly detail?: string;
  readonly hint?: string;
  /** The statement that it is about, and its command tag. */
  readonly query?: string;
  readonly command?: string;
  readonly user: string | null;
  readonly application?: string;
  readonly backend: 'client backend' | 'checkpointer' | 'autovacuum worker';
}

/** The longest age of a session when it logs a message, in seconds. */
const maxSessionSeconds = 3_600;

/** The row of the database server. */
export function postgresRow(random: Random, project: Project, message: DatabaseMessage): DemoRow {
  const { at, user } = message;
  const startedAt = at - random.integer(1, maxSessionSeconds) * 1_000_000;
  const process = random.integer(300, 32_000);
  return {
    source: 'postgres_logs',
    at,
    row: {
      id: random.uuid(),
      timestamp: isoMicros(at),
      event_message: message.text,
      project: project.ref,
      metadata: [
        {
          host: `db-${project.ref}`,
          parsed: [
            {
              application_name: message.application ?? null,
              backend_type: message.backend,
              command_tag: message.command ?? null,
              connection_from:
                user === null ? null : `10.64.${random.integer(0, 7)}.12:${random.integer(32_768, 60_999)}`,
              database_name: user === null ? null : 'postgres',
              detail: message.detail ?? null,
              error_severity: message.severity,
              hint: message.hint ?? null,
              process_id: process,
              query: message.query ?? null,
              query_id: message.query === undefined ? 0 : queryId(message.query),
              session_id: `${Math.floor(startedAt / 1_000_000).toString(16)}.${process.toString(16)}`,
              session_line_num: random.integer(1, 40),
              session_start_time: `${postgresTime(startedAt).slice(0, 19)} UTC`,
              sql_state_code: message.state ?? '00000',
              timestamp: postgresTime(at),
              transaction_id: 0,
              user_name: user,
              virtual_transaction_id:
                user === null ? null : `${random.integer(3, 60)}/${random.integer(1, 9_999)}`,
            },
          ],
        },
      ],
    },
  };
}

/** A number that identifies the statement. Equal texts have equal numbers. */
function queryId(query: string): number {
  let hash = 7;
  for (const character of query) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 9_007_199_254_740;
  return hash;
}

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

/** The row of the REST service in front of the database: an access line. */
export function postgrestRow(scene: Scene, call: Call): DemoRow {
  const { random, project, visitor } = scene;
  const at = before(scene, 1 + 3 * random.fraction());
  const target = call.path.slice('/rest/v1'.length) + call.search;
  const line = [
    `${visitor.address} - ${call.role} [${accessLogTime(at)}]`,
    `"${call.method} ${target} HTTP/1.1" ${call.status} ${call.bytes} "" "${visitor.client.userAgent}"`,
  ];
  return {
    source: 'postgrest_logs',
    at,
    row: {
      id: random.uuid(),
      timestamp: isoMicros(at),
      event_message: line.join(' '),
      project: project.ref,
      metadata: [{ host: `db-${project.ref}` }],
    },
  };
}
