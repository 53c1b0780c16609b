import { Gauge, type Registry } from 'prom-client';
import { version } from '../../../base/version.ts';

/**
 * Adds a metric that is always 1 and whose labels say what runs: the gateway's version, Node's, and the engine. Other
 * metrics are joined with it: https://www.robustperception.io/exposing-the-software-version-to-prometheus/
 */
export function buildInfo(registry: Registry, engine: string): void {
  new Gauge({
    name: 'gateway_build_info',
    help: 'Always 1; the labels say what runs',
    labelNames: ['version', 'node', 'engine'],
    registers: [registry],
  }).set({ version, node: process.versions.node, engine }, 1);
}
