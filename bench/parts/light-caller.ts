import { prove } from '../proof.ts';
import { benchKey } from '../started-gateway.ts';
import { projectRef } from '../store/projects.ts';

const lightRows = 2_000;

/** Calls that are never cached, of a small table. */
export class LightCaller {
  readonly #base: string;
  readonly #key: string;
  #number = 0;

  constructor(base: string, key: string) {
    this.#base = base;
    this.#key = key;
  }

  /** Milliseconds; undefined if it was refused. */
  async call(): Promise<number | undefined> {
    const sql = `SELECT COUNT(*) AS n, ${++this.#number} AS k FROM postgres_logs`;
    const query = new URLSearchParams({ project: projectRef(1), sql });
    const began = performance.now();
    const response = await fetch(`${this.#base}/api/endpoints/query/logs.all?${query}`, {
      headers: { 'X-API-KEY': this.#key },
    });
    const body = await response.text();
    const ms = performance.now() - began;
    if (response.status === 503) return undefined;
    prove(response.ok && body.includes(`"n":${lightRows}`), `${response.status}: ${body.slice(0, 300)}`);
    return ms;
  }
}

/** Adds the rows that light calls count. */
export async function addLightRows(base: string): Promise<void> {
  const timestamp = new Date().toISOString();
  const rows = Array.from({ length: lightRows }, (_, i) => ({
    ...{ id: `light-${i}`, timestamp, project: projectRef(1), event_message: `row ${i}` },
  }));
  const response = await fetch(`${base}/api/logs?source=postgres_logs`, {
    method: 'POST',
    headers: { 'X-API-KEY': benchKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(rows),
  });
  prove(response.ok, `no rows: ${response.status} ${await response.text()}`);
}

/** Makes a key that may query. */
export async function newKey(base: string): Promise<string> {
  const response = await fetch(`${base}/api/keys`, {
    method: 'POST',
    headers: { 'X-API-KEY': benchKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: `other-${Date.now()}`, scopes: ['query'] }),
  });
  const body = (await response.json()) as { readonly key?: string };
  prove(response.ok && body.key !== undefined, `no key: ${response.status}`);
  return body.key ?? '';
}
