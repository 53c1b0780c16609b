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
    help: "Whether the embedded engine's process can answer: 1 or 0",
    registers,
    collect() {
      this.set(logFields()?.state === 'ready' ? 1 : 0);
    },
  });
  new Counter({
    name: 'gateway_engine_restarts_total',
    help: "How often the embedded engine's process has ended and was started again",
    registers,
    collect() {
      this.reset();
      this.inc(logFields()?.restarts ?? 0);
    },
  });
  new Gauge({
    name: 'gateway_engine_memory_bytes',
    help: "Bytes of memory that the embedded engine's process takes",
    registers,
    collect() {
      this.set(logFields()?.memoryBytes ?? 0);
    },
  });
}
