import { type Area, before, type Call, newRay, roleOf } from '../rows/call.ts';
import { edgeRow } from '../rows/edge-row.ts';
import { type RealtimeMessage, realtimeRow } from '../rows/service-rows.ts';

const protocolVersion = '1.0.0';
const refusalRate = 0.03;

/** A client opens a socket and joins a channel, or is rejected. */
export const visitRealtime: Area = (scene) => {
  const { random, project } = scene;
  const refused = random.chance(refusalRate);
  const call: Call = {
    method: 'GET',
    path: '/realtime/v1/websocket',
    search: `?vsn=${protocolVersion}&eventsPerSecond=${random.pick([10, 10, 20])}`,
    status: refused ? 403 : 101,
    millis: random.duration(11),
    bytes: refused ? 58 : 0,
    contentType: 'text/plain; charset=utf-8',
    errorCode: refused ? 'no_authorization' : null,
    role: roleOf(scene),
    ray: newRay(scene),
  };
  const channel = random.pick(project.channels);
  const connected = Math.round(project.share * 900) + random.integer(0, 40);
  const messages: RealtimeMessage[] = refused
    ? [
        {
          at: before(scene, 2),
          text: `InvalidJWTToken: refused to join ${channel}`,
          level: 'error',
          module: 'Realtime.UserSocket',
          line: 74,
        },
      ]
    : [
        {
          at: before(scene, 2),
          text: `Connected to project ${project.ref}`,
          level: 'info',
          module: 'Realtime.UserSocket',
          line: 48,
          measurements: { connected, connected_cluster: connected * 2, limit: 2_000 },
        },
        {
          at: before(scene, 1),
          text: `Joined channel ${channel}`,
          level: 'debug',
          module: 'Realtime.ChannelServer',
          line: 131,
        },
      ];
  return [edgeRow(scene, call), ...messages.map((message) => realtimeRow(random, project, message))];
};
