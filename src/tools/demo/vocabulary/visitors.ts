import { createHash } from 'node:crypto';
import { asUuid, type NonEmpty, Random } from '../../made-up-rows/making/random.ts';
import { type Client, clients } from './clients.ts';
import { type Place, places } from './places.ts';

/** A person or program that calls a project repeatedly. */
export interface Visitor {
  readonly address: string;
  readonly place: Place;
  readonly client: Client;
  readonly user: User;
  /** The network's round-trip time in milliseconds. */
  readonly roundTripMs: number;
}

/** An account in a project. */
export interface User {
  readonly id: string;
  readonly email: string;
  /** The sign-in method. */
  readonly provider: 'email' | 'google' | 'github';
}

const names: NonEmpty<string> = [
  'ada',
  'bela',
  'chidi',
  'dora',
  'emre',
  'freya',
  'goran',
  'hana',
  'ivo',
  'kofi',
  'mira',
  'nuno',
  'olga',
  'rosa',
  'sami',
  'tove',
  'vera',
  'yara',
];

/** Networks reserved for documentation (RFC 5737). */
const networks: NonEmpty<string> = ['192.0.2', '198.51.100', '203.0.113'];

/** The visitors of a project. They are always the same, so that they recur on other days. */
export function visitorsOf(ref: string, count: number): NonEmpty<Visitor> {
  const first = visitor(ref, 0);
  return [first, ...Array.from({ length: count - 1 }, (_, index) => visitor(ref, index + 1))];
}

function visitor(ref: string, index: number): Visitor {
  const digest = createHash('sha256').update(`${ref}/${index}`).digest();
  let at = 0;
  const random = new Random(() => digest.readUInt16BE(2 * (at++ % 16)) / 0x1_0000);
  return {
    address: `${random.pick(networks)}.${random.integer(1, 254)}`,
    place: random.weighted(places),
    client: random.weighted(clients),
    user: {
      id: asUuid(digest.toString('hex')),
      email: `${random.pick(names)}.${index}@example.org`,
      provider: random.weighted([
        [6, 'email'],
        [3, 'google'],
        [1, 'github'],
      ]),
    },
    roundTripMs: random.integer(4, 180),
  };
}
