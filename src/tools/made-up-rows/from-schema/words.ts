import type { NonEmpty, Weighted } from '../making/random.ts';

/** The lists from which texts are made. Addresses and hosts are those that are reserved for documentation. */

export const levels: NonEmpty<Weighted<string>> = [
  [80, 'info'],
  [10, 'warn'],
  [6, 'error'],
  [4, 'debug'],
];

export const methods: NonEmpty<Weighted<string>> = [
  [70, 'GET'],
  [18, 'POST'],
  [5, 'PUT'],
  [4, 'DELETE'],
  [3, 'PATCH'],
];

export const statusCodes: NonEmpty<Weighted<number>> = [
  [70, 200],
  [8, 201],
  [5, 204],
  [4, 304],
  [3, 400],
  [3, 401],
  [5, 404],
  [1, 500],
  [1, 503],
];

export const states: NonEmpty<Weighted<string>> = [
  [80, 'ok'],
  [12, 'pending'],
  [8, 'failed'],
];

export const environments: NonEmpty<Weighted<string>> = [
  [80, 'production'],
  [15, 'staging'],
  [5, 'development'],
];

export const paths: NonEmpty<string> = [
  '/',
  '/login',
  '/orders',
  '/orders/17',
  '/products',
  '/products/42',
  '/search',
  '/cart',
  '/account',
  '/healthz',
];

export const people: NonEmpty<string> = [
  'ada',
  'grace',
  'alan',
  'edsger',
  'barbara',
  'donald',
  'radia',
  'ken',
];

export const messages: NonEmpty<string> = [
  'request completed',
  'connection opened',
  'connection closed',
  'user signed in',
  'job finished',
  'cache refreshed',
  'retrying after a timeout',
  'upstream did not answer in time',
];

export const userAgents: NonEmpty<string> = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'curl/8.14.1',
];

export const places: NonEmpty<{
  readonly country: string;
  readonly city: string;
  readonly region: string;
  readonly currency: string;
  readonly language: string;
  readonly zone: string;
}> = [
  {
    country: 'DE',
    city: 'Berlin',
    region: 'eu-central-1',
    currency: 'EUR',
    language: 'de',
    zone: 'Europe/Berlin',
  },
  {
    country: 'US',
    city: 'Boston',
    region: 'us-east-1',
    currency: 'USD',
    language: 'en',
    zone: 'America/New_York',
  },
  {
    country: 'JP',
    city: 'Osaka',
    region: 'ap-northeast-3',
    currency: 'JPY',
    language: 'ja',
    zone: 'Asia/Tokyo',
  },
  {
    country: 'BR',
    city: 'Recife',
    region: 'sa-east-1',
    currency: 'BRL',
    language: 'pt',
    zone: 'America/Recife',
  },
  {
    country: 'GB',
    city: 'Leeds',
    region: 'eu-west-2',
    currency: 'GBP',
    language: 'en',
    zone: 'Europe/London',
  },
];

/** The networks of RFC 5737. */
export const networks: NonEmpty<string> = ['192.0.2', '198.51.100', '203.0.113'];
