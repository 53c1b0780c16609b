import { httpDate, isoMicros } from '../../made-up-rows/making/instant.ts';
import type { DemoRow } from './call.ts';
import { before, type Call, hostOf, type Scene } from './call.ts';

/** One run of a function. */
interface Execution {
  readonly functionId: string;
  readonly executionId: string;
  readonly version: number;
}

/** The row of the relay in front of the functions. */
export function functionEdgeRow(scene: Scene, call: Call, execution: Execution): DemoRow {
  const { random, project, visitor } = scene;
  const at = before(scene, 1 + random.fraction());
  const host = hostOf(project);
  const url = `https://${host}${call.path}${call.search}`;
  return {
    source: 'function_edge_logs',
    at,
    row: {
      id: random.uuid(),
      timestamp: isoMicros(at),
      event_message: [call.method, call.status, url].join(' | '),
      metadata: [
        {
          ...executionFields(scene, call, execution),
          execution_time_ms: Math.round(call.millis),
          request: [
            {
              method: call.method,
              url,
              host,
              pathname: call.path,
              protocol: 'https:',
              headers: [
                {
                  accept: '*/*',
                  accept_encoding: 'gzip, br',
                  host,
                  user_agent: visitor.client.userAgent,
                  x_client_info: visitor.client.info,
                },
              ],
            },
          ],
          response: [
            {
              status_code: call.status,
              headers: [
                {
                  content_length: String(call.bytes),
                  content_type: call.contentType,
                  date: httpDate(at),
                  vary: 'Accept-Encoding',
                  x_sb_edge_region: project.region,
                },
              ],
            },
          ],
        },
      ],
    },
  };
}

/** A message that a function or its runtime logged. */
export interface FunctionMessage {
  readonly millisBefore: number;
  readonly text: string;
  readonly type: 'Boot' | 'Log' | 'UncaughtException' | 'Shutdown';
  readonly level: 'log' | 'info' | 'warning' | 'error';
}

/** The row of a message logged while a function ran. */
export function functionRow(
  scene: Scene,
  call: Call,
  execution: Execution,
  message: FunctionMessage,
): DemoRow {
  const { random, project } = scene;
  const at = before(scene, message.millisBefore);
  const timestamp = isoMicros(at);
  return {
    source: 'function_logs',
    at,
    row: {
      id: random.uuid(),
      timestamp,
      event_message: message.text,
      metadata: [
        {
          ...executionFields(scene, call, execution),
          event_type: message.type,
          level: message.level,
          region: project.region,
          timestamp,
          ...(message.type === 'Boot' ? { boot_time: random.integer(18, 90) } : {}),
          ...(message.type === 'Shutdown'
            ? {
                cpu_time_used: Math.round(call.millis / 3),
                memory_used: [memory(random.integer(9, 40), random.integer(2, 8))],
              }
            : {}),
        },
      ],
    },
  };
}

function executionFields({ project }: Scene, { ray }: Call, { functionId, executionId, version }: Execution) {
  return {
    project_ref: project.ref,
    function_id: functionId,
    execution_id: executionId,
    request_id: ray,
    deployment_id: `${project.ref}_${functionId}_${version}`,
    version: String(version),
  };
}

function memory(heapMiB: number, externalMiB: number) {
  const heap = heapMiB * 0x10_0000;
  const external = externalMiB * 0x10_0000;
  return { heap, external, total: heap + external };
}
