import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Finding } from '../finding.ts';
import { mean, median, quantile, standardError } from '../measure.ts';
import { type LoadOutcome, sendOpenLoad } from '../open-load.ts';
import { projectRef } from '../store/projects.ts';
import { freePort, untilReady } from './start-up.ts';

export interface OverloadOptions {
  readonly dataDir: string;
  /** The package's folder, where the gateway is started. */
  readonly packageDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
}

interface StartedGateway {
  readonly port: number;
  readonly process: ChildProcess;
}

/** A kind of request of which there are ever new ones. */
interface Kind {
  readonly what: string;
  readonly request: (number: number) => string;
  readonly isGood?: (body: string) => boolean;
}

const key = 'the-key-of-the-benchmark';
const leastRatio = 0.85;
const overload = 10;
const rounds = 6;
const seconds = 5;
const floodSeconds = 8;
/** In the beginning of a flood its connections are opened, which is no part of what it then has all the time. */
const openingSeconds = 2;
const connections = 1_500;

/**
 * What a gateway still answers when it is asked ten times as much as it can answer, beside what it answers a few eager clients;
 * and what it answers afterwards. All are measured in turn, since machines are faster at one time than at another. The load comes
 * from another process on the same machine, and takes its part of that.
 */
export async function measureOverload(options: OverloadOptions): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const kind of kinds()) {
    const gateway = await start(options);
    try {
      findings.push(...(await measure(gateway.port, kind, options.print)));
    } finally {
      gateway.process.kill('SIGKILL');
      await once(gateway.process, 'exit');
    }
  }
  return findings;
}

async function measure(port: number, kind: Kind, print: (line: string) => void): Promise<Finding[]> {
  let number = 0;
  const load = async (perSecond: number, most: number, seconds: number) => {
    const request = () => kind.request(number++);
    const outcome = await sendOpenLoad({
      port,
      request,
      ...(kind.isGood && { isGood: kind.isGood }),
      perSecond,
      seconds,
      connections: most,
    });
    print(`  ${kind.what}: ${describe(perSecond, outcome)}`);
    return outcome;
  };
  await load(200, 8, seconds);
  const bests: number[] = [];
  const floods: number[] = [];
  const afters: { readonly outcome: LoadOutcome; readonly asked: number }[] = [];
  const measureBest = async () => bests.push(rate(await load(20_000, 16, seconds)));
  await measureBest();
  for (let round = 0; round < rounds; round++) {
    floods.push(rate(await load(median(bests) * overload, connections, floodSeconds)));
    const asked = median(bests) * 0.8;
    afters.push({ outcome: await load(asked, connections, seconds), asked });
    await measureBest();
  }
  // Each beside what was measured before and after it.
  const goodputs = floods.map((flood, i) => flood / mean(bests.slice(i, i + 2)));
  const goodput = mean(goodputs);
  const recoveries = afters.map(({ outcome, asked }) => {
    const second = outcome.good.findIndex((count) => count >= asked * leastRatio);
    return second < 0 ? Number.POSITIVE_INFINITY : second + 1;
  });
  const slowest = Math.max(...recoveries);
  const part = 'overload';
  const each = (rates: readonly number[]) => rates.map((one) => one.toFixed(0)).join(', ');
  return [
    {
      part,
      what: kind.what,
      detail: `best ${each(bests)}/s; at ${overload} times that ${each(floods)}/s`,
      result: `${(goodput * 100).toFixed(0)} ± ${(standardError(goodputs) * 100).toFixed(0)} % goodput`,
      target: `>= ${leastRatio * 100} %`,
      isMet: goodput >= leastRatio,
    },
    {
      part,
      what: `${kind.what}, afterwards`,
      detail: `good answers by second: ${afters.map(({ outcome }) => outcome.good.join(' ')).join('; ')}`,
      result: slowest === Number.POSITIVE_INFINITY ? 'not recovered' : `recovered in ${slowest} s`,
      target: '<= 10 s',
      isMet: slowest <= 10,
    },
  ];
}

/** Good answers a second, the first seconds aside. */
function rate({ good }: LoadOutcome): number {
  return mean(good.slice(openingSeconds));
}

function describe(perSecond: number, outcome: LoadOutcome): string {
  const others = [...outcome.others].map(([status, count]) => `${status}: ${count}`).join(', ');
  const times = `${median(outcome.times).toFixed(0)} ms, 95 % ${quantile(outcome.times, 0.95).toFixed(0)} ms`;
  return `asked ${perSecond.toFixed(0)}/s, sent ${(outcome.sent / outcome.good.length).toFixed(0)}/s, good ${rate(outcome).toFixed(0)}/s (${times}); ${others || 'no others'}`;
}

function kinds(): readonly Kind[] {
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
    },
    {
      what: "caller's query",
      request: (number) =>
        get(`${path}?project=${project(number)}&iso_timestamp_start=${start(number)}&sql=${sqlOf(number)}`),
    },
    {
      what: 'GraphQL',
      request: (number) =>
        post(
          JSON.stringify({
            query: `{ logsAll(project: "${project(number)}", start: "${start(number)}") { timestamp eventMessage } }`,
          }),
        ),
      isGood: (body) => !body.includes('"errors"'),
    },
    { what: 'hit', request: () => get('/api/endpoints/query/usage.api-counts?interval=hourly&project=abc') },
  ];
}

async function start({ dataDir, packageDir, environment }: OverloadOptions): Promise<StartedGateway> {
  const port = await freePort();
  const gateway = spawn('node_modules/.bin/node', ['src/cli/main.ts', 'serve'], {
    cwd: packageDir,
    env: { ...environment, DATA_DIR: dataDir, PORT: String(port), API_KEY: key, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilReady(`http://127.0.0.1:${port}/readyz`, gateway);
  return { port, process: gateway };
}
