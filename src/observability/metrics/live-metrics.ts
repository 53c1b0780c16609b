import { Gauge, type Registry } from 'prom-client';

/** How much is watched. */
export interface LiveState {
  /** Streams that are open. */
  readonly streams: number;
  /** Different results and tails that they watch. */
  readonly questions: number;
}

/** Adds metrics of live streams. They are read on demand. */
export function liveMetrics(registry: Registry, stateOf: () => LiveState | undefined): void {
  function gauge(name: string, help: string, value: (state: LiveState) => number): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const state = stateOf();
        this.set(state === undefined ? 0 : value(state));
      },
    });
  }

  gauge('gateway_live_streams', 'Live streams that are open', ({ streams }) => streams);
  gauge(
    'gateway_live_questions',
    'Different results and tails that are watched',
    ({ questions }) => questions,
  );
}
