import type { NonEmpty, Weighted } from '../../made-up-rows/making/random.ts';
import { type Area, type Call, newRay, roleOf } from '../rows/call.ts';
import { edgeRow } from '../rows/edge-row.ts';
import { storageRow } from '../rows/service-rows.ts';

interface Operation {
  readonly method: string;
  /** The path up to the bucket's name. */
  readonly path: string;
  readonly status: number;
  readonly millis: number;
  readonly largest: number;
}

const operations: NonEmpty<Weighted<Operation>> = [
  [54, { method: 'GET', path: '/storage/v1/object/public/', status: 200, millis: 18, largest: 900_000 }],
  [
    14,
    { method: 'GET', path: '/storage/v1/render/image/public/', status: 200, millis: 120, largest: 160_000 },
  ],
  [
    12,
    { method: 'GET', path: '/storage/v1/object/authenticated/', status: 200, millis: 35, largest: 600_000 },
  ],
  [9, { method: 'GET', path: '/storage/v1/object/public/', status: 304, millis: 9, largest: 0 }],
  [7, { method: 'POST', path: '/storage/v1/object/', status: 200, millis: 160, largest: 140 }],
  [4, { method: 'POST', path: '/storage/v1/object/sign/', status: 200, millis: 14, largest: 300 }],
];

const kinds: NonEmpty<readonly [extension: string, contentType: string]> = [
  ['webp', 'image/webp'],
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['pdf', 'application/pdf'],
];

const missingRate = 0.04;
const missing = JSON.stringify({ statusCode: '404', error: 'not_found', message: 'Object not found' });

/** A visitor downloads, renders or uploads an object. */
export const visitStorage: Area = (scene) => {
  const { random, project } = scene;
  const operation = random.weighted(operations);
  const [extension, imageType] = random.pickEarly(kinds);
  const name = `${random.integer(1, 4_000).toString(36)}.${extension}`;
  const isMissing = operation.method === 'GET' && random.chance(missingRate);
  const isObject = operation.method === 'GET' && !isMissing;
  const call: Call = {
    method: operation.method,
    path: `${operation.path}${random.pickEarly(project.buckets)}/${name}`,
    search: operation.path.includes('/render/') ? `?width=${random.pick([64, 240, 480, 960])}` : '',
    status: isMissing ? 404 : operation.status,
    millis: random.duration(isMissing ? 8 : operation.millis),
    bytes: isMissing ? missing.length : Math.floor(random.fraction() ** 2 * operation.largest),
    contentType: isObject ? imageType : 'application/json; charset=utf-8',
    errorCode: isMissing ? 'not_found' : null,
    role: roleOf(scene),
    ray: newRay(scene),
  };
  return [edgeRow(scene, call), storageRow(scene, call, isMissing ? missing : null)];
};
