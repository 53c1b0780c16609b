import { quantile } from '../../measure.ts';
import { runStorm, type Seen } from '../../parts/storm.ts';
import { about, proveIs } from '../../proof.ts';
import type { GatewayCommand } from '../../started-gateway.ts';
import { rounded } from '../spread.ts';
import type { HitsData, SeenHits } from './hits-data.ts';

export interface HitsOptions extends Omit<GatewayCommand, 'dataDir'> {
  /** Rows of the store. */
  readonly rows: number;
  readonly store: (rows: number) => Promise<string>;
  readonly print: (line: string) => void;
  readonly rounds: number;
  readonly seconds: number;
  readonly callers: number;
}

/**
 * Measures calls that are answered from the cache, alone and while others send hostile queries, in turn. Proves what
 * `runStorm` proves, and that each call was answered with status 200.
 *
 * @throws MeasurementError
 */
export async function measureHits(options: HitsOptions): Promise<HitsData> {
  const { rows, seconds, callers } = options;
  const dataDir = await options.store(rows);
  const rounds: HitsData['rounds'] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const alone = await about('alone', () => runStorm({ ...options, dataDir, callers: 0 }));
    const storm = await about('meanwhile', () => runStorm({ ...options, dataDir }));
    const { times, statuses } = storm.lights;
    const answered = statuses.get('200') ?? 0;
    const refused = statuses.get('503 with Retry-After') ?? 0;
    rounds.push({
      alone: about200(alone.hits),
      meanwhile: about200(storm.hits),
      hostile: byStatus(storm.storm),
      lights: { answered, refused, others: times.length - answered - refused },
    });
  }
  return { rows, seconds, callers, rounds };
}

function about200({ times, statuses }: Seen): SeenHits {
  proveIs(statuses.get('200'), times.length, 'answers with status 200');
  const at = (part: number) => rounded(quantile(times, part));
  return { answers: times.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), longest: at(1) };
}

/** Statuses without the texts of errors. */
function byStatus({ statuses }: Seen): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [status, count] of statuses) {
    const [short = ''] = status.split(' ');
    counts[short] = (counts[short] ?? 0) + count;
  }
  return counts;
}
