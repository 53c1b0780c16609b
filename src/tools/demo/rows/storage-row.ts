import { isoMicros } from '../../made-up-rows/making/instant.ts';
import { before, type Call, hostOf, type Scene } from './call.ts';
import type { DemoRow } from './demo-row.ts';

/** The row of the object storage. `error` is the message in its response, null on success. */
export function storageRow(scene: Scene, call: Call, error: string | null): DemoRow {
  const { random, project, visitor } = scene;
  const at = before(scene, 1 + random.fraction());
  const url = call.path.slice('/storage/v1'.length) + call.search;
  const { userAgent, info } = visitor.client;
  const message = [project.ref, call.method, call.status, visitor.address, call.ray, url, userAgent].join(
    ' | ',
  );
  return {
    source: 'storage_logs',
    at,
    row: {
      id: random.uuid(),
      timestamp: isoMicros(at),
      event_message: message,
      metadata: [
        {
          project: project.ref,
          tenantId: project.ref,
          level: call.status >= 500 ? 'error' : call.status >= 400 ? 'warn' : 'info',
          reqId: call.ray,
          responseTime: Math.round(call.millis * 1000) / 1000,
          rawError: error,
          context: [{ host: `storage-${project.ref.slice(0, 6)}`, pid: random.integer(20, 60) }],
          req: [
            {
              method: call.method,
              url,
              hostname: hostOf(project),
              remoteAddress: visitor.address,
              remotePort: random.integer(1_024, 65_535),
              headers: [
                {
                  accept: '*/*',
                  cf_connecting_ip: visitor.address,
                  cf_ray: call.ray,
                  host: hostOf(project),
                  user_agent: userAgent,
                  x_client_info: info,
                  x_forwarded_proto: 'https',
                },
              ],
            },
          ],
          res: [
            {
              statusCode: call.status,
              headers: [{ content_length: call.bytes, content_type: call.contentType }],
            },
          ],
        },
      ],
    },
  };
}
