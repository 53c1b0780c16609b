import { Counter, Gauge, type Registry } from 'prom-client';

/** What is known of the engine's process. */
export interface EngineProcessFacts {
  readonly state: 'starting' | 'ready' | 'down';
  /** How many processes have ended by themselves, or were ended by the watch, since the gateway began. */
  readonly restarts: number;
  /** Memory that it takes; 0 where there is none. */
  readonly memoryBytes: number;
}

/** Whether the engine's process answers, how often it was started again, and what it takes, all read when they are asked for. */
export function engineProcess(registry: Registry, logFields: () => EngineProcessFacts | undefined): void {
  const registers = [registry];
  new Gauge({
    name: 'gateway_engine_up',
    help: "Whether the embedded engine's process is ready: 1 or 0",
    registers,
    collect() {
      this.set(logFields()?.state === 'ready' ? 1 : 0);
    },
  });
  new Counter({
    name: 'gateway_engine_restarts_total',
    help: "Restarts of the embedded engine's process",
    registers,
    collect() {
      this.reset();
      this.inc(logFields()?.restarts ?? 0);
    },
  });
  new Gauge({
    name: 'gateway_engine_memory_bytes',
    help: "Resident memory of the embedded engine's process, in bytes",
    registers,
    collect() {
      this.set(logFields()?.memoryBytes ?? 0);
    },
  });
}
