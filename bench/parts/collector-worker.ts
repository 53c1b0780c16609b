import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { prove } from '../proof.ts';
import { type CollectorOrder, type CollectorReport, collectorOrder } from './collector-order.ts';

/** A body whose ids and times are replaced before it is sent. */
interface Template {
  readonly bytes: Buffer;
  /** Where each row begins. */
  readonly rows: readonly number[];
}

const beforeId = '{"id":"';
const idLength = 36;
const beforeTime = '","timestamp":"';
const timeLength = '2026-01-01T00:00:00.000000Z'.length;

/** Bodies of so many rows of a file, as arrays. */
function templatesOf({ file, rowsPerRequest }: CollectorOrder): Template[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const templates: Template[] = [];
  for (let at = 0; at + rowsPerRequest <= lines.length; at += rowsPerRequest) {
    const rows: number[] = [];
    let length = 0;
    for (const line of lines.slice(at, at + rowsPerRequest)) {
      rows.push(length + 1);
      length += 1 + Buffer.byteLength(line);
    }
    const text = `[${lines.slice(at, at + rowsPerRequest).join(',')}]`;
    templates.push({ bytes: Buffer.from(text), rows });
  }
  prove(templates.length > 0, 'the file has too few rows');
  return templates;
}

/** One connection that is kept, as a collector has it. */
class Connection {
  readonly #socket: Socket;
  readonly #head: string;
  #received = '';
  #answer: PromiseWithResolvers<{ status: number; text: string }> | undefined;

  constructor({ port, key }: CollectorOrder) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1');
    this.#head = `POST /api/logs?source=edge_logs HTTP/1.1\r\nHost: bench\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\n`;
    this.#socket.on('data', (piece: string) => this.#take(piece));
    this.#socket.on('error', (error) => this.#answer?.reject(error));
    this.#socket.on('close', () => this.#answer?.reject(new Error('the gateway closed a connection')));
  }

  send(body: Buffer): Promise<{ status: number; text: string }> {
    this.#answer = Promise.withResolvers();
    this.#socket.write(`${this.#head}Content-Length: ${body.length}\r\n\r\n`, 'latin1');
    this.#socket.write(body);
    return this.#answer.promise;
  }

  end(): void {
    this.#socket.removeAllListeners('close').destroy();
  }

  #take(piece: string): void {
    this.#received += piece;
    const head = this.#received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#received.slice(0, head))?.[1] ?? 0);
    if (this.#received.length < head + 4 + length) return;
    const answer = { status: Number(this.#received.slice(9, 12)), text: this.#received };
    this.#received = '';
    this.#answer?.resolve(answer);
  }
}

class Collectors {
  readonly #order: CollectorOrder;
  readonly #templates: readonly Template[];
  readonly #times: number[] = [];
  #rows = 0;
  #refusals = 0;
  #sent = 0;

  constructor(order: CollectorOrder) {
    this.#order = order;
    this.#templates = templatesOf(order);
  }

  async run(): Promise<CollectorReport> {
    const { collectors, seconds, everyMs } = this.#order;
    const began = performance.now();
    const end = began + seconds * 1000;
    // Their times are spread evenly, as those of collectors that started independently.
    await Promise.all(
      Array.from({ length: collectors }, (_, i) => this.#collect(began + (everyMs * i) / collectors, end)),
    );
    return {
      acknowledgedRows: this.#rows,
      times: this.#times,
      refusals: this.#refusals,
      milliseconds: performance.now() - began,
    };
  }

  async #collect(first: number, end: number): Promise<void> {
    const { everyMs } = this.#order;
    const connection = new Connection(this.#order);
    for (let due = first; due < end; due = everyMs === 0 ? performance.now() : due + everyMs) {
      if (due > performance.now()) await sleep(due - performance.now());
      await this.#sendBatch(connection, this.#nextBody());
      this.#times.push(performance.now() - due);
    }
    connection.end();
  }

  async #sendBatch(connection: Connection, body: Buffer): Promise<void> {
    for (;;) {
      const { status, text } = await connection.send(body);
      if (status === 200) break;
      const seconds = /retry-after: (\d+)/i.exec(text)?.[1];
      prove(
        (status === 503 || status === 429) && seconds !== undefined,
        `a batch was answered ${text.slice(0, 300)}`,
      );
      this.#refusals += 1;
      await sleep(Number(seconds) * 1000);
    }
    this.#rows += this.#order.rowsPerRequest;
  }

  #nextBody(): Buffer {
    const template = this.#templates[this.#sent % this.#templates.length];
    prove(template !== undefined, 'there is no body');
    const body = Buffer.from(template.bytes);
    const time = new Date().toISOString().replace('Z', '000Z').padEnd(timeLength);
    for (const [row, at] of template.rows.entries()) {
      const number = this.#sent * this.#order.rowsPerRequest + row;
      const id = `${this.#order.prefix}-${number}`.padEnd(idLength, '-');
      body.write(id, at + beforeId.length, 'latin1');
      body.write(time, at + beforeId.length + idLength + beforeTime.length, 'latin1');
    }
    this.#sent += 1;
    return body;
  }
}

const order = collectorOrder.parse(workerData);
if (order.givesWay && process.platform === 'linux') setPriority(0, 19);
parentPort?.postMessage(await new Collectors(order).run());
