import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway, Reply } from './gateway.ts';

/** How often replicas are asked whether they are ready, in milliseconds. */
const probeMs = 100;

/**
 * What a balancer does: spreads requests over the replicas that say that they are ready, and asks another one when a
 * connection fails.
 */
export class Balancer {
  replicas: readonly Gateway[];
  #ready: readonly Gateway[] = [];
  #turn = 0;
  #isClosed = false;

  constructor(replicas: readonly Gateway[]) {
    this.replicas = replicas;
    this.#ready = replicas;
    void this.#watch();
  }

  close(): void {
    this.#isClosed = true;
  }

  /** How many replicas it sends requests to. */
  get readyCount(): number {
    return this.#ready.length;
  }

  async query(endpoint: string, parameters: Readonly<Record<string, string>>): Promise<Reply> {
    for (let attempt = 1; ; attempt++) {
      const replica = this.#ready[this.#turn++ % this.#ready.length];
      try {
        if (replica === undefined) throw new Error('no replica is ready');
        return await replica.query(endpoint, parameters);
      } catch (error) {
        if (attempt === 3) throw error;
        await sleep(probeMs);
      }
    }
  }

  async #watch(): Promise<void> {
    while (!this.#isClosed) {
      const asked = await Promise.all(
        this.replicas.map(async (replica) => {
          const reply = await replica.call('/readyz', { key: null }).catch(() => undefined);
          return reply?.status === 200 ? [replica] : [];
        }),
      );
      this.#ready = asked.flat();
      await sleep(probeMs);
    }
  }
}
