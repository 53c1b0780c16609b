import { gzipSync } from 'node:zlib';
import { projectRef } from '../store/projects.ts';

/** The events of a body: as many as one may have. */
export const eventsOfBody = 50_000;

/** Events of which this many are rejected are within the limit. */
const rejectedOfBody = 10_000;

const dayMs = 86_400_000;

/** The source of shapes that no source of the package has. */
export const shapesSource = {
  unknownFields: 'add',
  fields: [
    { name: 'id', type: 'STRING', mode: 'REQUIRED' },
    { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
    { name: 'event_message', type: 'STRING', mode: 'NULLABLE' },
    { name: 'numbers', type: 'INTEGER', mode: 'REPEATED' },
    { name: 'document', type: 'JSON', mode: 'NULLABLE' },
  ],
};

/** A kind of body that is laborious in a way of its own. */
export interface BodyShape {
  readonly what: string;
  readonly source: string;
  /**
   * An event of a body.
   *
   * @param id of a different body's event different
   */
  readonly event: (row: number, id: string, now: number) => object;
  /** Whether the same bytes are sent each time. */
  readonly isRepeated?: boolean;
  /** How many events of a body are rejected. */
  readonly rejected?: number;
}

/** A number that looks random, from 0 to below 1. */
function scattered(row: number): number {
  return ((row * 2_654_435_761) % 4_294_967_296) / 4_294_967_296;
}

const text = 'The quick brown fox jumps over the lazy dog. Żółć, 中文, "quotes" and \\ too. ';

export const bodyShapes: readonly BodyShape[] = [
  {
    what: 'times in order',
    source: 'edge_logs',
    event: (row, id, now) => ({ id, timestamp: new Date(now - eventsOfBody + row), ...small(row) }),
  },
  {
    what: 'times of 60 days in no order',
    source: 'edge_logs',
    event: (row, id, now) => ({
      ...{ id, timestamp: new Date(now - Math.floor(scattered(row) * 60 * dayMs)) },
      ...small(row),
    }),
  },
  {
    what: 'one id',
    source: 'edge_logs',
    event: (row, _id, now) => ({ id: 'one', timestamp: new Date(now - row * 100_000), ...small(row) }),
  },
  {
    what: 'no ids and no times',
    source: 'edge_logs',
    event: (row, id) => ({ ...small(row), event_message: id }),
  },
  {
    what: 'the same body again',
    source: 'edge_logs',
    isRepeated: true,
    event: (row, id, now) => ({
      ...{ id, timestamp: new Date(now - Math.floor(scattered(row) * 60 * dayMs)) },
      ...small(row),
    }),
  },
  {
    what: 'lists in records',
    source: 'edge_logs',
    event: (row, id, now) => ({
      ...{ id, timestamp: new Date(now - row * 50) },
      ...{ event_message: `row ${row}`, project: projectRef(row % 50) },
      metadata: Array.from({ length: 3 }, (_, i) => ({
        request: [{ method: 'GET', path: `/${row}/${i}`, cf: [{ city: 'Berlin' }, { city: 'Paris' }] }],
        response: [{ status_code: 200 + i, origin_time: i }],
      })),
    }),
  },
  {
    what: 'wide records',
    source: 'edge_logs',
    event: (row, id, now) => ({
      ...{
        id,
        timestamp: new Date(now - row * 50),
        event_message: `row ${row}`,
        project: projectRef(row % 50),
      },
      metadata: [
        {
          request: [
            {
              ...{
                method: 'GET',
                path: `/p/${row}`,
                url: `https://example.com/p/${row}`,
                host: 'example.com',
              },
              ...{ protocol: 'https:', port: 443, search: `?a=${row}` },
              headers: [
                {
                  ...{
                    accept: '*/*',
                    cf_connecting_ip: `10.0.${row % 256}.1`,
                    cf_ipcountry: 'DE',
                    host: 'h',
                  },
                  ...{ cf_ray: `ray-${row}`, content_length: '12', content_type: 'text/html', referer: 'r' },
                  ...{ user_agent: `agent ${row % 97}`, x_client_info: 'client/1', x_real_ip: '10.0.0.1' },
                },
              ],
              cf: [{ city: 'Berlin', country: 'DE', continent: 'EU', colo: 'TXL', asn: row % 9999 }],
            },
          ],
          response: [{ status_code: 200, origin_time: row % 500, headers: [{ cf_ray: `ray-${row}` }] }],
        },
      ],
    }),
  },
  {
    what: 'many fields that are added',
    source: 'shapes',
    event: (row, id, now) => ({
      ...{ id, timestamp: new Date(now - row * 50), event_message: `row ${row}` },
      ...Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`added_${(row * 8 + i) % 190}`, row + i])),
    }),
  },
  {
    what: 'deep documents',
    source: 'shapes',
    event: (row, id, now) => {
      let document: object = { row };
      for (let level = 0; level < 40; level++) document = { [`l${level}`]: document, z: level };
      return { id, timestamp: new Date(now - Math.floor(scattered(row) * dayMs)), document };
    },
  },
  {
    what: 'many elements',
    source: 'shapes',
    event: (row, id, now) => ({
      ...{ id, timestamp: new Date(now - row * 50) },
      numbers: Array.from({ length: 150 }, (_, i) => row * i),
    }),
  },
  {
    what: 'long texts',
    source: 'edge_logs',
    event: (row, id, now) => ({
      ...{ id, timestamp: new Date(now - row), project: projectRef(row % 50) },
      event_message: `${row} ${text.repeat(11)}`,
    }),
  },
  {
    what: 'rejected events',
    source: 'edge_logs',
    rejected: rejectedOfBody,
    event: (row, id, now) => ({
      ...{ id, timestamp: row % 5 === 0 ? `no time ${row}` : new Date(now - row * 50) },
      ...small(row),
    }),
  },
];

function small(row: number): object {
  return { event_message: `row ${row} is small`, project: projectRef(row % 50) };
}

/** A body as sent. */
interface SentBody {
  readonly encoding: 'identity' | 'gzip';
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Larger ones are sent compressed, in bytes. */
const maxPlain = 32_000_000;

/** A body of a shape. Bodies with other numbers have other ids. */
export function bodyOf({ event, isRepeated = false }: BodyShape, number: number, now: number): SentBody {
  const time = isRepeated ? Math.floor(now / dayMs) * dayMs : now;
  const lines: string[] = [];
  for (let row = 0; row < eventsOfBody; row++)
    lines.push(JSON.stringify(event(row, `${isRepeated ? 0 : number}-${row}-${time}`, time)));
  const bytes = new TextEncoder().encode(lines.join('\n'));
  if (bytes.length <= maxPlain) return { encoding: 'identity', bytes };
  return { encoding: 'gzip', bytes: Uint8Array.from(gzipSync(bytes, { level: 1 })) };
}
