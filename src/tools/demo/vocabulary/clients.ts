import type { NonEmpty, Weighted } from '../../made-up-rows/making/random.ts';

/** A program that sends requests. */
export interface Client {
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

export const clients: NonEmpty<Weighted<Client>> = [
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
