import { Gauge, type Registry } from 'prom-client';
import type { OriginState } from '../../../definitions/origin/origin-state.ts';

/** Adds metrics of the endpoints that were fetched. */
export function originMetrics(registry: Registry, stateOf: () => OriginState): void {
  const registers = [registry];
  new Gauge({
    name: 'gateway_endpoints_version_info',
    help: 'The fetched version of the endpoints that is served. Always 1',
    labelNames: ['version'],
    registers,
    collect() {
      this.reset();
      this.set({ version: stateOf().version }, 1);
    },
  });
  new Gauge({
    name: 'gateway_endpoints_from_up',
    help: '1 if ENDPOINTS_FROM could be reached last, and its latest version is served, otherwise 0',
    registers,
    collect() {
      this.set(stateOf().failure === undefined ? 1 : 0);
    },
  });
}
