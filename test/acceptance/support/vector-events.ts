/** The events that the collector of self-hosted Supabase sends, by the name of the source that its sinks send to. */
export function vectorEvents(now: Date): Readonly<Record<string, readonly object[]>> {
  /** As Docker states times: with nanoseconds. */
  const at = (seconds: number) =>
    new Date(now.getTime() - seconds * 1000).toISOString().replace('Z', '123456Z');
  /** What all transforms begin with. */
  const event = (appname: string, seconds: number, event_message: string) => ({
    appname,
    event_message,
    project: 'default',
    timestamp: at(seconds),
  });
  const withoutProject = (...of: Parameters<typeof event>) => {
    const { project: _, ...rest } = event(...of);
    return rest;
  };
  const kong = (seconds: number, method: string, path: string, status: number) => ({
    ...event('supabase-kong', seconds, `172.18.0.1 - - "${method} ${path} HTTP/1.1" ${status} 27`),
    // The time in a line of nginx has no fraction.
    timestamp: at(seconds).replace(/\.\d+/, ''),
    metadata: {
      request: {
        headers: { cf_connecting_ip: '172.18.0.1', referer: null, user_agent: 'curl/8.5.0' },
        ...{ method, path, protocol: 'HTTP/1.1' },
      },
      response: { status_code: status },
    },
  });
  const kongError = {
    ...event('supabase-kong', 3, '[error] 1#0: *7 connect() failed (111: Connection refused)'),
    severity: 'error',
    metadata: {
      request: {
        headers: { cf_connecting_ip: '172.18.0.1' },
        ...{ host: 'localhost:8000', method: 'GET', path: '/auth/v1/user', protocol: 'HTTP/1.1' },
      },
      response: { status_code: 200 },
    },
  };
  const auth = (seconds: number, parsed: object) => {
    const time = at(seconds).slice(0, 19).concat('Z');
    const line = { component: 'api', level: 'info', time, ...parsed };
    return {
      ...event('supabase-auth', seconds, JSON.stringify(line)),
      metadata: { timestamp: time, ...line },
    };
  };
  const postgres = (seconds: number, message: string, error_severity: string) => ({
    ...event('supabase-db', seconds, message),
    metadata: { host: 'db-default', parsed: { error_severity, timestamp: at(seconds) } },
  });
  const storage = (seconds: number, message: string | null, metadata: object) => ({
    ...withoutProject('supabase-storage', seconds, ''),
    event_message: message,
    metadata: { project: 'default', tenantId: 'default', ...metadata },
  });
  const realtime = (seconds: number, message: string, metadata: object) => ({
    ...withoutProject('realtime-dev.supabase-realtime', seconds, message),
    metadata: { project: 'default', external_id: 'default', ...metadata },
  });
  const id = 'b6b4e2f2-6a0c-4a0e-9d43-6f3a3c0f9f11';
  return {
    'cloudflare.logs.prod': [
      kong(5, 'GET', '/rest/v1/orders?select=*', 200),
      kong(4, 'POST', '/auth/v1/token?grant_type=password', 500),
      kongError,
    ],
    'gotrue.logs.prod': [
      auth(5, {
        ...{
          method: 'POST',
          path: '/token',
          status: 200,
          duration: 51_234_567,
          referer: 'http://localhost:3000',
        },
        ...{ msg: 'request completed', remote_addr: '172.18.0.1', request_id: 'r1', grant_type: 'password' },
      }),
      auth(4, {
        auth_event: {
          ...{ action: 'login', actor_id: id, actor_username: 'a@example.net', actor_via_sso: false },
          ...{ log_type: 'account', traits: { provider: 'email' } },
        },
        ...{ instance_id: id, msg: 'Login', metering: true },
      }),
      auth(3, {
        level: 'error',
        error: 'invalid claim',
        status: 403,
        method: 'GET',
        path: '/user',
        args: [1],
      }),
      // A line that isn't JSON has no metadata.
      event('supabase-auth', 2, 'Go runtime metrics collection started'),
    ],
    'postgREST.logs.prod': [
      {
        ...event('supabase-rest', 5, 'Schema cache loaded'),
        timestamp: at(5).replace(/\.\d+/, ''),
        metadata: { host: 'default' },
      },
      event('supabase-rest', 4, '172.18.0.9 - anon "GET /orders HTTP/1.1" 200'),
    ],
    'realtime.logs.prod': [
      realtime(5, 'Connected to project database', { level: 'info' }),
      { ...realtime(4, 'multi-line part of a message', {}), id },
    ],
    'storage.logs.prod.2': [
      storage(5, '[Request] GET /status', {
        level: 'info',
        timestamp: at(5),
        context: [{ host: 'f3a1', pid: 7 }],
      }),
      // A JSON line without a message, of a logger that numbers its times.
      storage(4, null, { level: 'warn', timestamp: now.getTime(), context: [{ host: 'f3a1', pid: 7 }] }),
      storage(3, 'Started Successfully', {}),
    ],
    'postgres.logs': [
      postgres(5, '172.18.0.7 supabase_admin@postgres LOG:  checkpoint starting: time', 'LOG'),
      postgres(4, 'postgres@postgres ERROR:  relation "orders" does not exist', 'ERROR'),
    ],
    'deno-relay-logs': [
      {
        ...withoutProject('supabase-edge-functions', 5, 'serving the request'),
        metadata: { project_ref: 'default' },
      },
      {
        ...withoutProject('supabase-edge-functions', 4, 'Error: boom\n    at main.ts:3'),
        metadata: { project_ref: 'default' },
      },
    ],
    // Nothing in the compose files sends to these. They are on the platform.
    'pgbouncer.logs.prod': [
      { ...event('pgbouncer', 5, 'stats: 0 xacts/s'), metadata: [{ host: 'db-default' }] },
    ],
    'deno-subhosting-events': [
      {
        ...withoutProject('functions', 5, 'booted (time: 31ms)'),
        metadata: [
          { project_ref: 'default', event_type: 'Boot', level: 'log', boot_time: 31, function_id: id },
        ],
      },
    ],
  };
}
