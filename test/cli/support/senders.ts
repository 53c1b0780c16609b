import type { Gateway } from '../../acceptance/support/gateway.ts';
import { eventually } from '../../acceptance/support/processes.ts';

/** Senders of requests, each with a row for the source `first` and one for `second`. A sender waits for each answer. */
export class Senders {
  readonly #gateway: Gateway;
  readonly #acknowledged: string[] = [];
  readonly #running: Promise<unknown>;
  #isStopped = false;

  constructor(gateway: Gateway, count: number) {
    this.#gateway = gateway;
    this.#running = Promise.all(Array.from({ length: count }, (_, sender) => this.#send(sender)));
    this.#running.catch(() => undefined);
  }

  /** The names of the requests that were answered with success: `<sender>-<number>`, numbered from 0. */
  acknowledged(): readonly string[] {
    return [...this.#acknowledged];
  }

  async until(requests: number): Promise<void> {
    await eventually(`${requests} requests`, () => this.#acknowledged.length >= requests);
  }

  /** Ends the senders, and fails as the first of them that has failed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #send(sender: number): Promise<void> {
    for (let number = 0; !this.#isStopped; number++) {
      const request = `${sender}-${number}`;
      const event = { timestamp: new Date().toISOString(), request };
      for (const source of ['first', 'second'])
        await this.#post(source, { ...event, id: `${request}-${source}` });
      this.#acknowledged.push(request);
    }
  }

  /** Repeats a request that the gateway could not answer. */
  async #post(source: string, event: object): Promise<void> {
    for (;;) {
      const body = JSON.stringify(event);
      const reply = await this.#gateway
        .call(`/api/logs?source=${source}`, { method: 'POST', body })
        .catch(() => undefined);
      if (reply?.status === 200) return;
      if (reply !== undefined && reply.status < 500) throw new Error(`${reply.status} ${reply.body}`);
      if (this.#isStopped) throw new Error('it was not answered');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
