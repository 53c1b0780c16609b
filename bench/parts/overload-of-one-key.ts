import { setTimeout } from 'node:timers/promises';
import type { Finding } from '../finding.ts';
import { median } from '../measure.ts';
import { prove } from '../proof.ts';
import { benchKey, type GatewayCommand, startGateway } from '../started-gateway.ts';
import { projectRef } from '../store/projects.ts';

interface FloodOptions extends GatewayCommand {
  readonly print: (line: string) => void;
  readonly seconds?: number;
}

/** Slow queries of the flooding key at a time. */
const flooders = 40;
/** Milliseconds between two light calls. */
const pauseMs = 200;

interface Call {
  readonly status: number;
  readonly ms: number;
}

/**
 * Compares how long a light call of a key takes while another key sends slow queries, with the time that it takes alone. It
 * may take three times as long, and as long as the slowest query that runs.
 *
 * @throws MeasurementError
 */
export async function measureOverloadOfOneKey({
  print,
  seconds = 30,
  ...command
}: FloodOptions): Promise<Finding> {
  await using gateway = await startGateway(command);
  const base = `http://127.0.0.1:${gateway.port}`;
  const other = await newKey(base);
  let number = 0;
  const ask = async (key: string, sql: string): Promise<Call> => {
    const query = new URLSearchParams({ project: projectRef(1), sql });
    const began = performance.now();
    const response = await fetch(`${base}/api/endpoints/query/logs.all?${query}`, {
      headers: { 'X-API-KEY': key },
    });
    const body = await response.text();
    prove([200, 503, 504].includes(response.status), `${response.status}: ${body}`);
    return { status: response.status, ms: performance.now() - began };
  };
  const light = () => ask(other, `SELECT COUNT(*) AS n, ${++number} AS k FROM edge_logs`);
  const slow = () =>
    ask(
      benchKey,
      `SELECT COUNT(*) AS n, ${++number} AS k FROM UNNEST(GENERATE_ARRAY(1, 300)) a, UNNEST(GENERATE_ARRAY(1, 10000)) b WHERE MOD(a * b, ${number}) = 1`,
    );
  for (let warm = 0; warm < 3; warm++) await light();
  const alone: Call[] = [];
  for (let call = 0; call < 20; call++) alone.push(await light());
  const slowAlone = await slow();
  const ends = performance.now() + seconds * 1000;
  const ofFlood: Call[] = [];
  const flood = Array.from({ length: flooders }, async () => {
    while (performance.now() < ends) {
      const call = await slow();
      ofFlood.push(call);
      if (call.status !== 200) await setTimeout(100);
    }
  });
  await setTimeout(1000);
  const beside: Call[] = [];
  while (performance.now() < ends) {
    beside.push(await light());
    await setTimeout(pauseMs);
  }
  await Promise.all(flood);
  const times = (calls: readonly Call[]) => calls.filter(({ status }) => status === 200).map(({ ms }) => ms);
  const answered = times(beside);
  const refused = beside.length - answered.length;
  const rate = times(ofFlood).length / seconds;
  const mostRunning = Math.max(...times(ofFlood));
  const slowest = Math.max(0, ...answered);
  print(
    `  flood: ${rate.toFixed(1)} answers/s, ${times(ofFlood).length} of ${ofFlood.length}, slowest ${mostRunning.toFixed(0)} ms with its wait, ${slowAlone.ms.toFixed(0)} ms alone`,
  );
  // Eight run at a time, on the same processors.
  const longest = slowAlone.ms * 8;
  const most = 3 * median(times(alone)) + longest;
  return {
    part: 'overload',
    what: "another key's light call under one key's flood",
    detail: `alone ${median(times(alone)).toFixed(0)} ms; beside ${flooders} slow queries ${median(answered).toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms, ${refused} of ${beside.length} refused; a slow query takes ${slowAlone.ms.toFixed(0)} ms alone`,
    result: `${slowest.toFixed(0)} ms, ${refused} refused`,
    target: `<= ${most.toFixed(0)} ms, none`,
    isMet: refused === 0 && slowest <= most,
  };
}

/** Makes a key that may query. */
async function newKey(base: string): Promise<string> {
  const response = await fetch(`${base}/api/keys`, {
    method: 'POST',
    headers: { 'X-API-KEY': benchKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: `other-${Date.now()}`, scopes: ['query'] }),
  });
  const body = (await response.json()) as { readonly key?: string };
  prove(response.ok && body.key !== undefined, `no key: ${response.status}`);
  return body.key ?? '';
}
