import { Agent, request } from 'node:http';

/** Clients that ask again and again over connections that they keep, until nobody listens any more. */
export class Load {
  answered = 0;
  readonly statuses = new Set<number>();
  /** The failures of requests that were sent on a connection: all but those that found nobody listening. */
  readonly lost: string[] = [];
  readonly #url: string;
  readonly #target: string;

  constructor(url: string, target: string) {
    this.#url = url;
    this.#target = target;
  }

  /** One client, with one connection. */
  async run(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (;;) {
      const outcome = await this.#ask(agent);
      if (outcome === 'ECONNREFUSED') return;
      if (typeof outcome === 'string') this.lost.push(outcome);
      else {
        this.answered += 1;
        this.statuses.add(outcome);
      }
    }
  }

  #ask(agent: Agent): Promise<number | string> {
    return new Promise((resolve) => {
      const asked = request(`${this.#url}${this.#target}`, { agent, headers: { 'X-API-KEY': 'a-key' } });
      asked.on('response', (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
        response.once('error', (error) => resolve(error.message));
      });
      asked.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      asked.end();
    });
  }
}
