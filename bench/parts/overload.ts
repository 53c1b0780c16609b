import { type Counts, countsBetween, fetchCounts } from '../counts.ts';
import type { Finding } from '../finding.ts';
import { mean, median, quantile, standardError } from '../measure.ts';
import { type LoadOutcome, sendOpenLoad } from '../open-load.ts';
import { about, prove, proveIs } from '../proof.ts';
import { type GatewayCommand, benchKey as key, startGateway } from '../started-gateway.ts';
import { judge, type Kind, kinds } from './overload-kinds.ts';

export interface OverloadOptions extends GatewayCommand {
  readonly print: (line: string) => void;
  readonly pace?: Pace;
  /** The kinds of requests; all by default. */
  readonly kinds?: readonly string[];
}

/** The durations of the phases. */
export interface Pace {
  readonly rounds: number;
  /** Of measuring the best rate, and of measuring the recovery. */
  readonly seconds: number;
  readonly floodSeconds: number;
  /** Initial seconds to ignore, in which connections are opened. */
  readonly openingSeconds: number;
  /** Connections of a flood. */
  readonly connections: number;
}

const leastRatio = 0.85;
const overload = 10;
const usualPace: Pace = { rounds: 6, seconds: 5, floodSeconds: 8, openingSeconds: 2, connections: 1_500 };
/** The maximum number of engine runs among cache hits: refreshes of stale entries. */
const maxRefreshes = 5;

/**
 * Compares what a gateway answers at ten times its capacity with what it answers a few fast clients, and measures its
 * recovery. The phases alternate, since the speed of machines varies. The load comes from another process on the same
 * machine, and takes its share of it. Proves that each response has the expected content or is a refusal, and that the
 * good ones came from the engine or the cache as counted there.
 *
 * @throws MeasurementError
 */
export async function measureOverload(options: OverloadOptions): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const kind of kinds()) {
    if (options.kinds?.includes(kind.what) === false) continue;
    await using gateway = await startGateway(options);
    findings.push(...(await about(kind.what, () => measure(gateway.port, kind, options))));
  }
  return findings;
}

async function measure(
  port: number,
  kind: Kind,
  { print, pace = usualPace }: OverloadOptions,
): Promise<Finding[]> {
  const { rounds, seconds, floodSeconds, openingSeconds, connections } = pace;
  const rate = ({ good }: LoadOutcome) => mean(good.slice(openingSeconds));
  const counts = () => fetchCounts(`http://127.0.0.1:${port}`, key);
  let good = 0;
  let number = 0;
  const load = async (perSecond: number, most: number, seconds: number) => {
    const request = () => kind.request(number++);
    const outcome = await sendOpenLoad({
      port,
      request,
      judge: (status, body) => judge(kind, status, body),
      perSecond,
      seconds,
      connections: most,
    });
    good += outcome.times.length;
    print(`  ${kind.what}: ${describe(perSecond, outcome, rate(outcome))}`);
    return outcome;
  };
  await load(200, 8, seconds);
  const before = await counts();
  good = 0;
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
  proveOrigin(kind, countsBetween(before, await counts()), good);
  // Each is compared with the measurements before and after it.
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

/** More may have been counted than responses received: a load ends with some in flight. */
export function proveOrigin({ from }: Kind, { engineRuns, hits, collapsed }: Counts, good: number): void {
  prove(good > 0, 'no good answers');
  if (from === 'cache') {
    prove(hits >= good, `${good} good answers, but only ${hits} came from the cache`);
    prove(engineRuns <= maxRefreshes, `${engineRuns} engine runs for answers from the cache`);
  } else {
    prove(engineRuns >= good, `${good} good answers, but only ${engineRuns} engine runs`);
    proveIs(hits + collapsed, 0, 'answers without a run of their own');
  }
}

/** @param rate good responses per second, without the first seconds */
function describe(perSecond: number, outcome: LoadOutcome, rate: number): string {
  const refusals = [...outcome.refusals].map(([status, count]) => `${status}: ${count}`).join(', ');
  const times = `${median(outcome.times).toFixed(0)} ms, 95 % ${quantile(outcome.times, 0.95).toFixed(0)} ms`;
  return `asked ${perSecond.toFixed(0)}/s, sent ${(outcome.sent / outcome.good.length).toFixed(0)}/s, good ${rate.toFixed(0)}/s (${times}); ${refusals || 'no refusals'}`;
}
