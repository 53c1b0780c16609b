import { accessLogTime, isoMicros } from '../../made-up-rows/making/instant.ts';
import { before, type Call, type Scene } from './call.ts';
import type { DemoRow } from './demo-row.ts';

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
