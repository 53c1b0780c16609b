import { httpDate, isoMicros } from '../../made-up-rows/making/instant.ts';
import type { MadeUpValue } from '../../made-up-rows/making/made-up-store.ts';
import type { DemoRow } from './call.ts';
import { type Call, hostOf, type Scene } from './call.ts';

/** The expiry of the projects' keys: 2037-01-01, in seconds since the epoch. */
const keysExpireAt = 2_114_380_800;

/** The row of the edge proxy, through which every request passes. */
export function edgeRow(scene: Scene, call: Call): DemoRow {
  const { random, project, visitor, at } = scene;
  const host = hostOf(project);
  const url = `https://${host}${call.path}${call.search}`;
  const { userAgent } = visitor.client;
  return {
    source: 'edge_logs',
    at,
    row: {
      id: random.uuid(),
      timestamp: isoMicros(at),
      event_message: [call.method, call.status, visitor.address, call.ray, url, userAgent].join(' | '),
      project: project.ref,
      metadata: [
        {
          request: [
            {
              method: call.method,
              path: call.path,
              url,
              host,
              protocol: 'https:',
              ...(call.search === '' ? {} : { search: call.search }),
              headers: [requestHeaders(scene, call, host)],
              cf: [cfRecord(scene)],
              sb: [keysRecord(scene, call)],
            },
          ],
          response: [
            {
              status_code: call.status,
              origin_time: Math.round(call.millis),
              headers: [responseHeaders(scene, call)],
            },
          ],
        },
      ],
    },
  };
}

function requestHeaders({ visitor }: Scene, call: Call, host: string): MadeUpValue {
  return {
    accept: '*/*',
    cf_connecting_ip: visitor.address,
    cf_ipcountry: visitor.place.country,
    cf_ray: call.ray,
    ...(call.method === 'GET' ? {} : { content_type: 'application/json' }),
    host,
    user_agent: visitor.client.userAgent,
    ...(visitor.client.info === null ? {} : { x_client_info: visitor.client.info }),
    x_forwarded_proto: 'https',
    x_real_ip: visitor.address,
  };
}

function cfRecord({ visitor: { place, client, roundTripMs } }: Scene): MadeUpValue {
  return {
    ...place,
    botManagement: [{ score: client.botScore, verifiedBot: false, detectionIds: [] }],
    clientTcpRtt: roundTripMs,
    httpProtocol: client.protocol,
    tlsVersion: 'TLSv1.3',
  };
}

function keysRecord({ project, visitor }: Scene, { role }: Call): MadeUpValue {
  const signature = {
    algorithm: 'HS256',
    expires_at: keysExpireAt,
    signature_prefix: project.ref.slice(2, 8),
  };
  const signedIn = role === 'authenticated';
  const keyRole = role === 'service_role' ? role : 'anon';
  const issuer = `https://${hostOf(project)}/auth/v1`;
  return {
    ...(signedIn ? { auth_user: visitor.user.id } : {}),
    jwt: [
      {
        apikey: [{ payload: [{ ...signature, issuer, role: keyRole }] }],
        authorization: [
          { payload: [{ ...signature, issuer, role, ...(signedIn ? { subject: visitor.user.id } : {}) }] },
        ],
      },
    ],
  };
}

function responseHeaders({ at }: Scene, call: Call): MadeUpValue {
  const cacheable = call.method === 'GET' && call.path.startsWith('/storage/v1/object/public/');
  return {
    cf_cache_status: cacheable ? (call.millis < 20 ? 'HIT' : 'MISS') : 'DYNAMIC',
    cf_ray: call.ray,
    ...(call.bytes > 0 ? { content_length: String(call.bytes) } : {}),
    content_type: call.contentType,
    date: httpDate(at),
    sb_gateway_version: '1',
    ...(call.errorCode === null ? {} : { x_sb_error_code: call.errorCode }),
  };
}
