import { Histogram, type Registry } from 'prom-client';

/** From a loop that is idle to one that did nothing else for seconds, in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Counts how long the event loops of the processes were held. */
export function loopDelays(registry: Registry): (process: 'gateway' | 'engine', seconds: number) => void {
  const delays = new Histogram({
    name: 'gateway_loop_delay_seconds',
    help: 'The longest delay of the event loop in each second, by process, in seconds',
    labelNames: ['process'],
    buckets,
    registers: [registry],
  });
  return (process, seconds) => delays.observe({ process }, seconds);
}
