import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGateway } from '../../../src/app/api/api.ts';
import type { Settings } from '../../../src/app/api/gateway.ts';
import { Workspace } from '../../acceptance/support/workspace.ts';

/** A row of an answer, by column names. */
export type AnswerRow = Readonly<Record<string, unknown>>;

const quiet = { info() {}, warn() {}, error: console.error };

/** An answered request. */
export interface Answered {
  readonly status: number;
  readonly body: { readonly result?: readonly AnswerRow[]; readonly code?: string; readonly error?: string };
  /** The target of the next page. */
  readonly next: string | undefined;
  readonly headers: Headers;
}

/** A gateway over HTTP, with files of its own. */
export class PagedGateway {
  readonly workspace: Workspace;
  readonly #gateway: ReturnType<typeof createGateway>;
  readonly #url: string;
  readonly #stop: () => void;

  private constructor(
    workspace: Workspace,
    gateway: ReturnType<typeof createGateway>,
    url: string,
    stop: () => void,
  ) {
    this.workspace = workspace;
    this.#gateway = gateway;
    this.#url = url;
    this.#stop = stop;
  }

  /** @param files texts by their paths, such as `endpoints/a.sql` */
  static async open(files: Readonly<Record<string, string>>, settings: Settings = {}): Promise<PagedGateway> {
    const workspace = await Workspace.create();
    for (const [file, text] of Object.entries(files)) await workspace.write(file, text);
    const gateway = createGateway({
      endpointsDir: workspace.path('endpoints'),
      sourcesDir: workspace.path('sources'),
      dataDir: workspace.path('data'),
      settings: { API_KEY: 'a-key', ...settings },
      log: quiet,
    });
    const server = createServer((request, response) => gateway.handler(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await gateway.ready;
    const { port } = server.address() as AddressInfo;
    return new PagedGateway(workspace, gateway, `http://127.0.0.1:${port}`, () => server.close());
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#gateway.close();
    await this.workspace.remove();
  }

  request(target: string, init: RequestInit = {}, key = 'a-key'): Promise<Response> {
    return fetch(`${this.#url}${target}`, { ...init, headers: { 'x-api-key': key, ...init.headers } });
  }

  async get(target: string, key?: string): Promise<Answered> {
    const response = await this.request(target, {}, key);
    const [, next] = /^<([^>]*)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? [];
    const body = (await response.json()) as Answered['body'];
    return { status: response.status, body, next, headers: response.headers };
  }

  /** Adds rows to a source. */
  async add(source: string, rows: readonly object[]): Promise<void> {
    const response = await this.request(`/api/sources/${source}/rows`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    });
    if (!response.ok) throw new Error(await response.text());
  }

  /** The rows of all pages. */
  async walk(
    target: string,
    each?: (page: number) => Promise<void>,
    key?: string,
  ): Promise<readonly AnswerRow[]> {
    const rows: AnswerRow[] = [];
    let next: string | undefined = target;
    for (let page = 1; next !== undefined; page++) {
      const answered = await this.get(next, key);
      if (answered.body.result === undefined) throw new Error(JSON.stringify(answered.body));
      if (page > 500) throw new Error('the walk does not end');
      rows.push(...answered.body.result);
      next = answered.next;
      await each?.(page);
    }
    return rows;
  }

  async graphql(
    query: string,
    key?: string,
  ): Promise<{ readonly data?: unknown; readonly errors?: unknown }> {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    };
    return (await this.request('/graphql', init, key)).json() as Promise<{ data?: unknown }>;
  }
}

/** The target of an endpoint. */
export function endpointTarget(name: string, parameters: Readonly<Record<string, string>> = {}): string {
  return `/api/endpoints/query/${name}?${new URLSearchParams(parameters)}`;
}
