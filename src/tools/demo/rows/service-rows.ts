import { isoMicros, isoSeconds } from '../../made-up-rows/making/instant.ts';
import type { MadeUpValue } from '../../made-up-rows/making/made-up-store.ts';
import type { Random } from '../../made-up-rows/making/random.ts';
import type { Project } from '../vocabulary/projects.ts';
import { before, type Call, type DemoRow, hostOf, type Scene } from './call.ts';

/** The content of a request to the authentication service. */
export interface AuthEvent {
  /** The entry of the audit trail. Null if there is none. */
  readonly action: string | null;
  readonly grantType: string | null;
  /** The error message. Null if it succeeded. */
  readonly error: string | null;
}

/** The row of the authentication service. Its message is the record itself, as JSON. */
export function authRow(scene: Scene, call: Call, { action, grantType, error }: AuthEvent): DemoRow {
  const { random, project, visitor } = scene;
  const at = before(scene, 1 + random.fraction());
  const time = isoSeconds(at);
  const { user } = visitor;
  const fields = {
    component: 'api',
    duration: Math.round(call.millis * 1_000_000),
    error,
    error_code: call.errorCode,
    grant_type: grantType,
    level: call.status >= 500 ? 'error' : call.status >= 400 ? 'warning' : 'info',
    login_method: action === 'login' ? (user.provider === 'email' ? 'password' : 'oauth') : null,
    method: call.method,
    msg: error ?? 'request completed',
    path: call.path.slice('/auth/v1'.length),
    referer: `https://${hostOf(project)}/`,
    remote_addr: visitor.address,
    request_id: call.ray,
    status: call.status,
  };
  const event = action === null ? undefined : auditEvent(scene, action);
  const traits = { provider: user.provider, user_id: user.id };
  return {
    source: 'auth_logs',
    at,
    row: {
      id: random.uuid(),
      timestamp: isoMicros(at),
      event_message: JSON.stringify({ ...(event && { auth_event: { ...event, traits } }), ...fields, time }),
      project: project.ref,
      metadata: [
        {
          ...(event && { auth_event: [{ ...event, traits: [traits] }] }),
          ...fields,
          host: `db-${project.ref}`,
          timestamp: time,
        },
      ],
    },
  };
}

function auditEvent({ visitor: { user } }: Scene, action: string) {
  return {
    action,
    actor_id: user.id,
    actor_username: user.email,
    actor_via_sso: false,
    log_type: action === 'token_refreshed' ? 'token' : 'account',
  };
}

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
