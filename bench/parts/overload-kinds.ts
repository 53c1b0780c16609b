import type { Judgement } from '../open-load.ts';
import { benchKey as key } from '../started-gateway.ts';
import { projectRef } from '../store/projects.ts';

/** A kind of request of which every instance is new. */
export interface Kind {
  readonly what: string;
  readonly request: (number: number) => string;
  /** The form of a good response's body. */
  readonly good: RegExp;
  /** The form of a refusal's body with status 200, if there are such refusals. */
  readonly refusal?: RegExp;
  /** Where the responses come from. */
  readonly from: 'engine' | 'cache';
}

/** Classifies a response to a request of this kind. */
export function judge({ good, refusal }: Kind, status: number, body: string): Judgement {
  if (status === 200 && good.test(body)) return 'good';
  return status === 503 || (status === 200 && refusal?.test(body)) ? 'refusal' : 'wrong';
}

/** Every kind of request for the overload. */
export function kinds(): readonly Kind[] {
  const path = '/api/endpoints/query/logs.all';
  const head = `Host: x\r\nX-API-KEY: ${key}\r\n`;
  const start = (number: number) => new Date(Date.now() - 3_600_000 + number).toISOString();
  const get = (target: string) => `GET ${target} HTTP/1.1\r\n${head}\r\n`;
  const post = (body: string) =>
    `POST /graphql HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const project = (number: number) => projectRef(number % 900);
  const sqlOf = (number: number) =>
    encodeURIComponent(`SELECT COUNT(*) AS n, ${number} AS k FROM edge_logs WHERE timestamp > '2026-01-01'`);
  return [
    {
      what: 'stored query',
      request: (number) => get(`${path}?project=${project(number)}&iso_timestamp_start=${start(number)}`),
      good: /^\{"result":\[.*\]\}$/s,
      from: 'engine',
    },
    {
      what: "caller's query",
      request: (number) =>
        get(`${path}?project=${project(number)}&iso_timestamp_start=${start(number)}&sql=${sqlOf(number)}`),
      good: /^\{"result":\[\{"n":\d+,"k":\d+\}\]\}$/,
      from: 'engine',
    },
    {
      what: 'GraphQL',
      request: (number) =>
        post(
          JSON.stringify({
            query: `{ logsAll(project: "${project(number)}", start: "${start(number)}") { timestamp eventMessage } }`,
          }),
        ),
      good: /^\{"data":\{"logsAll":\[/,
      refusal: /"code":"OVERLOADED"/,
      from: 'engine',
    },
    {
      what: 'hit',
      request: () => get('/api/endpoints/query/usage.api-counts?interval=hourly&project=abc'),
      good: /^\{"result":\[.*\]\}$/s,
      from: 'cache',
    },
  ];
}
