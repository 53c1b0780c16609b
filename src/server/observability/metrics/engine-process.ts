import { Counter, Gauge, type Registry } from 'prom-client';

/** The state of the engine process. */
export interface EngineProcessState {
  readonly state: 'starting' | 'ready' | 'down';
  /** Number of processes that ended, or were ended by the watch, since the gateway's start. */
  readonly restarts: number;
  /** Resident memory; 0 without a process. */
  readonly memoryBytes: number;
}

/** Adds metrics of the engine process: readiness, restarts and memory. They are read on demand. */
export function engineProcess(registry: Registry, stateOf: () => EngineProcessState): void {
  const registers = [registry];
  new Gauge({
    name: 'gateway_engine_up',
    help: "Whether the embedded engine's process is ready: 1 or 0",
    registers,
    collect() {
      this.set(stateOf().state === 'ready' ? 1 : 0);
    },
  });
  new Counter({
    name: 'gateway_engine_restarts_total',
    help: "Restarts of the embedded engine's process",
    registers,
    collect() {
      this.reset();
      this.inc(stateOf().restarts);
    },
  });
  new Gauge({
    name: 'gateway_engine_memory_bytes',
    help: "Resident memory of the embedded engine's process, in bytes",
    registers,
    collect() {
      this.set(stateOf().memoryBytes);
    },
  });
}
