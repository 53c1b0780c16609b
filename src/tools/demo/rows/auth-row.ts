import { isoMicros, isoSeconds } from '../../made-up-rows/making/instant.ts';
import { before, type Call, hostOf, type Scene } from './call.ts';
import type { DemoRow } from './demo-row.ts';

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
