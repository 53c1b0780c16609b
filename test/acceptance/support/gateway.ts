import type { Command, Environment } from './command.ts';
import type { Workspace } from './workspace.ts';

export interface CallOptions {
  readonly method?: string;
  /** Null sends no key. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** A gateway that listens. */
export class Gateway {
  readonly command: Command;
  readonly url: string;
  readonly #key: string;

  private constructor(command: Command, url: string, key: string) {
    this.command = command;
    this.url = url;
    this.#key = key;
  }

  /** Starts `gateway serve` and waits for the line that says it is ready. */
  static async serve(workspace: Workspace, settings: Environment = {}): Promise<Gateway> {
    return Gateway.of(workspace.start(['serve'], settings), settings.API_KEY);
  }

  /** The gateway that a command says is ready. */
  static async of(command: Command, key = 'a-key'): Promise<Gateway> {
    const [, url = ''] = await command.output(/(?:^|"msg":")Ready at (http:\S+?),? .*$/m);
    return new Gateway(command, url, key);
  }

  async call(target: string, { method = 'GET', key = this.#key, headers, body }: CallOptions = {}) {
    const response = await fetch(`${this.url}${target}`, {
      method,
      headers: { ...(key !== null && { 'X-API-KEY': key }), ...headers },
      ...(body !== undefined && { body }),
    });
    const reply: Reply = { status: response.status, headers: response.headers, body: await response.text() };
    return reply;
  }

  /** Calls an endpoint by its name. */
  query(endpoint: string, parameters: Readonly<Record<string, string>> = {}, options: CallOptions = {}) {
    const query = new URLSearchParams(parameters);
    return this.call(`/api/endpoints/query/${encodeURIComponent(endpoint)}?${query}`, options);
  }

  /** The rows that an endpoint answers. Fails when it answers anything else. */
  async rows(endpoint: string, parameters: Readonly<Record<string, string>> = {}): Promise<Row[]> {
    const reply = await this.query(endpoint, parameters);
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.body}`);
    return JSON.parse(reply.body).result;
  }

  /** Creates a key over HTTP, which takes less than starting a command. The options are those of `POST /api/keys`. */
  async createKey(options: { readonly name: string; readonly [option: string]: unknown }): Promise<string> {
    const reply = await this.call('/api/keys', { method: 'POST', body: JSON.stringify(options) });
    if (reply.status !== 201) throw new Error(`${reply.status} ${reply.body}`);
    return JSON.parse(reply.body).key;
  }

  stop(signal?: NodeJS.Signals) {
    return this.command.stop(signal);
  }
}

export type Row = Readonly<Record<string, unknown>>;
