import { createHash } from 'node:crypto';
import { asUuid, type NonEmpty, Random, type Weighted } from '../../made-up-rows/making/random.ts';
import { type Place, places } from './places.ts';

/** A program that sends requests. */
interface Client {
  readonly userAgent: string;
  /** The client library's identification. Null for programs without one. */
  readonly info: string | null;
  /** Whether a person uses it, who may be signed in. */
  readonly interactive: boolean;
  readonly protocol: 'HTTP/1.1' | 'HTTP/2' | 'HTTP/3';
  /** The edge network's bot score, from 1 (a robot) to 99 (a person). */
  readonly botScore: number;
}

const webLibrary = 'client-js-web/2.61.0';

function browser(userAgent: string, botScore: number): Client {
  const protocol = botScore > 93 ? 'HTTP/3' : 'HTTP/2';
  return { userAgent, info: webLibrary, interactive: true, protocol, botScore };
}

function program(userAgent: string, info: string | null, interactive: boolean, botScore: number): Client {
  return { userAgent, info, interactive, protocol: interactive ? 'HTTP/2' : 'HTTP/1.1', botScore };
}

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

const clients: NonEmpty<Weighted<Client>> = [
  [14, browser(`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36`, 96)],
  [
    8,
    browser(`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/141.0.0.0 Safari/537.36`, 97),
  ],
  [8, browser(`Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/141.0.0.0 Mobile Safari/537.36`, 92)],
  [5, browser('Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 90)],
  [7, program('Courier/4.12 CFNetwork/1568 Darwin/24.0.0', 'client-swift/2.30.1', true, 88)],
  [5, program('Dart/3.9 (dart:io)', 'client-dart/2.9.4', true, 71)],
  [6, program('node', 'client-js-node/2.61.0', false, 24)],
  [3, program('python-httpx/0.28.1', 'client-py/2.15.0', false, 12)],
  [2, program('Go-http-client/2.0', null, false, 5)],
  [1, program('curl/8.14.1', null, false, 2)],
  [1, program('UptimeSentinel/1.3 (+https://sentinel.example.org/)', null, false, 1)],
];

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
