import { connect, type Socket } from 'node:net';
import { MeasurementError } from './proof.ts';

/** Requests at a fixed rate, whether the earlier ones have responses or not. */
export interface OpenLoad {
  readonly port: number;
  /** Returns the next request as sent. Its responses must have a `Content-Length`. */
  readonly request: () => string;
  /** Classifies a response. */
  readonly judge: (status: number, body: string) => Judgement;
  readonly perSecond: number;
  readonly seconds: number;
  /**
   * The maximum number of connections. A request without a free connection isn't sent, as with a client of limited
   * means.
   */
  readonly connections: number;
}

/** The wanted response, one of an overloaded gateway, or a wrong one. */
export type Judgement = 'good' | 'refusal' | 'wrong';

export interface LoadOutcome {
  readonly sent: number;
  /** The number of good responses in each second. */
  readonly good: readonly number[];
  /** The duration of each good response in milliseconds. */
  readonly times: readonly number[];
  /** Refusals by status; 0 means broken connections. */
  readonly refusals: ReadonlyMap<number, number>;
}

const tickMs = 5;

/**
 * Sends the load. At the end, requests without a response are abandoned.
 *
 * @throws MeasurementError at the first wrong response
 */
export function sendOpenLoad(load: OpenLoad): Promise<LoadOutcome> {
  const { port, request, judge, perSecond, seconds, connections } = load;
  const { promise, resolve, reject } = Promise.withResolvers<LoadOutcome>();
  const idle: Connection[] = [];
  const open = new Set<Connection>();
  const good = Array<number>(seconds).fill(0);
  const times: number[] = [];
  const refusals = new Map<number, number>();
  const began = performance.now();
  let sent = 0;
  let due = 0;

  const onAnswer = (connection: Connection, status: number, body: string, tookMs: number) => {
    const judgement = status === 0 ? 'refusal' : judge(status, body);
    if (judgement === 'wrong') {
      stop();
      reject(new MeasurementError(`a wrong answer, status ${status}: ${body.slice(0, 200)}`));
      return;
    }
    if (judgement === 'good') {
      const second = Math.floor((performance.now() - began) / 1000);
      if (second < seconds) good[second] = (good[second] ?? 0) + 1;
      times.push(tookMs);
    } else refusals.set(status, (refusals.get(status) ?? 0) + 1);
    if (status === 0) open.delete(connection);
    else idle.push(connection);
  };

  const stop = () => {
    clearInterval(timer);
    for (const connection of open) connection.end();
  };
  const timer = setInterval(() => {
    const elapsed = (performance.now() - began) / 1000;
    if (elapsed >= seconds) {
      stop();
      resolve({ sent, good, times, refusals });
      return;
    }
    for (const until = elapsed * perSecond; due < until; due++) {
      const connection = idle.pop() ?? (open.size < connections ? new Connection(port, onAnswer) : undefined);
      if (connection === undefined) continue;
      open.add(connection);
      connection.send(request());
      sent++;
    }
  }, tickMs);
  return promise;
}

type OnAnswer = (connection: Connection, status: number, body: string, tookMs: number) => void;

/** A connection with one request at a time. */
class Connection {
  readonly #socket: Socket;
  #received = '';
  #sentAt = 0;

  constructor(port: number, onAnswer: OnAnswer) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1');
    this.#socket.on('data', (piece: string) => {
      this.#received += piece;
      const head = this.#received.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(this.#received.slice(0, head))?.[1] ?? 0);
      if (this.#received.length < head + 4 + length) return;
      const status = Number(this.#received.slice(9, 12));
      const body = this.#received.slice(head + 4);
      this.#received = '';
      onAnswer(this, status, body, performance.now() - this.#sentAt);
    });
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => onAnswer(this, 0, '', 0));
  }

  send(text: string): void {
    this.#sentAt = performance.now();
    this.#socket.write(text, 'latin1');
  }

  end(): void {
    this.#socket.removeAllListeners('close').destroy();
  }
}
