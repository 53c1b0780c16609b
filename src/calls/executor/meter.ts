import type { Clock } from '../../base/system/clock.ts';
import type { EngineResult } from '../../engines/engine/engine.ts';
import type { AllowanceMeter } from './allowances/allowances.ts';
import type { CacheFacts } from './executor.ts';

/** Receives the executor's events, for metrics. They contain names of endpoints, never parameters. */
export interface ExecutorMeter extends AllowanceMeter {
  /** A run on the engine has ended: with rows, with a failure, or cancelled by its callers. */
  engineRun(
    endpoint: string,
    outcome: 'success' | 'error' | 'cancelled',
    seconds: number,
    result?: Pick<EngineResult, 'cost' | 'slices'>,
  ): void;
  /** A call was answered. */
  cacheRequest(endpoint: string, status: CacheFacts['status']): void;
  /** A call shares the run of another one. */
  collapsed(endpoint: string): void;
  /** A result was refreshed in the background by this replica, or the refresh failed. */
  warmRun(endpoint: string, outcome: 'success' | 'error'): void;
}

/** A run of an endpoint on the engine. */
interface PastRun {
  /** When it ended, in milliseconds since the epoch. */
  readonly at: number;
  readonly milliseconds: number;
  readonly failed: boolean;
}

/** The last run of each endpoint in this process. Runs that their callers cancelled don't count. */
export class RunHistory {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #last = new Map<string, PastRun>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** @param endpoint its name */
  last(endpoint: string): PastRun | undefined {
    return this.#last.get(endpoint);
  }

  /** A meter that also keeps the last runs. */
  metered(meter: ExecutorMeter): ExecutorMeter {
    return {
      ...meter,
      engineRun: (endpoint, outcome, seconds, result) => {
        meter.engineRun(endpoint, outcome, seconds, result);
        if (outcome === 'cancelled') return;
        const failed = outcome === 'error';
        this.#last.set(endpoint, { at: this.#clock.now(), milliseconds: seconds * 1000, failed });
      },
    };
  }

  /** Forgets the endpoints that are not served any more. */
  retain(names: ReadonlySet<string>): void {
    for (const name of this.#last.keys()) if (!names.has(name)) this.#last.delete(name);
  }
}
