import { countsBetween, fetchCounts } from '../../counts.ts';
import { mean, quantile } from '../../measure.ts';
import { type LoadOutcome, sendOpenLoad } from '../../open-load.ts';
import { proveOrigin } from '../../parts/overload.ts';
import { judge, kinds } from '../../parts/overload-kinds.ts';
import { prove } from '../../proof.ts';
import { benchKey, type GatewayCommand, startGateway } from '../../started-gateway.ts';
import { rounded } from '../spread.ts';
import type { OverloadData } from './overload-data.ts';

export interface OverloadOptions extends Omit<GatewayCommand, 'dataDir'> {
  /** Rows of the store. */
  readonly rows: number;
  readonly store: (rows: number) => Promise<string>;
  readonly print: (line: string) => void;
  readonly rounds: number;
  readonly seconds: number;
  /** Initial seconds of each level to ignore, in which connections are opened. */
  readonly openingSeconds: number;
  readonly connections?: number;
  /** How many times the capacity is asked for. */
  readonly levels?: readonly number[];
}

const capacityConnections = 16;
/** Far more requests per second than can be answered: the connections are always busy. */
const unlimited = 20_000;

/**
 * Measures what a gateway answers when more is asked of it than it can answer: stored queries, each of which is new. The
 * load comes from another process on the same machine, and takes its share of it. Proves that each answer is right or a
 * refusal, and that each right one was a run of the engine.
 *
 * @throws MeasurementError
 */
export async function measureOverload(options: OverloadOptions): Promise<OverloadData> {
  const { rows, print, rounds, seconds, openingSeconds, connections = 1_500 } = options;
  const { levels = [1, 2, 5, 10, 20] } = options;
  const [kind] = kinds();
  if (kind === undefined) throw new Error('no kind of requests');
  await using gateway = await startGateway({ ...options, dataDir: await options.store(rows) });
  let [number, answered] = [0, 0];
  const rate = ({ good }: LoadOutcome) => mean(good.slice(openingSeconds));
  const load = async (perSecond: number, most: number) => {
    const outcome = await sendOpenLoad({
      ...{ port: gateway.port, perSecond, seconds, connections: most },
      request: () => kind.request(number++),
      judge: (status, body) => judge(kind, status, body),
    });
    answered += outcome.times.length;
    print(`  asked ${Math.round(perSecond)}/s, good ${Math.round(rate(outcome))}/s`);
    return outcome;
  };
  const counts = () => fetchCounts(`http://127.0.0.1:${gateway.port}`, benchKey);
  const capacityNow = async () => {
    const capacity = rate(await load(unlimited, capacityConnections));
    prove(capacity > 0, 'few clients got no answers');
    return rounded(capacity);
  };
  await load(200, 8);
  const before = await counts();
  answered = 0;
  const capacity = [await capacityNow()];
  const outcomes: {
    readonly times: number;
    readonly round: number;
    readonly asked: number;
    readonly outcome: LoadOutcome;
  }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const times of round % 2 === 0 ? levels : levels.toReversed()) {
      const asked = (capacity.at(-1) ?? 0) * times;
      outcomes.push({ times, round, asked, outcome: await load(asked, connections) });
    }
    capacity.push(await capacityNow());
  }
  proveOrigin(kind, countsBetween(before, await counts()), answered);
  return {
    ...{ what: kind.what, rows, seconds, openingSeconds, connections, capacityConnections, capacity },
    levels: levels.map((times) => ({
      times,
      rounds: outcomes
        .filter((one) => one.times === times)
        .map(({ round, asked, outcome }) => {
          prove(outcome.times.length > 0, `no good answers at ${times} times the capacity`);
          const refusals = [...outcome.refusals.values()].reduce((sum, count) => sum + count, 0);
          return {
            asked: rounded(asked),
            sent: rounded(outcome.sent / seconds),
            good: rounded(rate(outcome)),
            refused: rounded(refusals / seconds),
            goodput: rounded(rate(outcome) / mean(capacity.slice(round, round + 2))),
            p50: rounded(quantile(outcome.times, 0.5)),
            p99: rounded(quantile(outcome.times, 0.99)),
          };
        }),
    })),
  };
}
