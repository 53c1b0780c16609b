import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually } from '../../acceptance/support/processes.ts';
import { freePort } from '../../support/redis.ts';
import { type Certificate, makeCertificate } from './certificate.ts';

/** Where a proxy listens, what it stands in front of, and its files. */
export interface ProxyPlace extends Certificate {
  readonly port: number;
  /** `host:port` of the gateway. */
  readonly upstream: string;
  readonly folder: string;
}

/** Writes the configuration of a proxy, and names the command that runs it. */
export type Configure = (place: ProxyPlace) => Promise<{
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}>;

interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Undefined leaves the request open: write the body, and end it. */
  readonly body?: string | Buffer | undefined;
  /** The address of the client. */
  readonly from?: string;
}

/** A proxy as a process of its own, with TLS, and a client of it. */
export class ReverseProxy {
  readonly port: number;
  readonly pem: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor({ port, pem, folder }: ProxyPlace, child: ChildProcess) {
    [this.port, this.pem, this.#folder, this.#child] = [port, pem, folder, child];
  }

  /** Starts it in front of `host:port`, and waits until it accepts connections. */
  static async start(upstream: string, configure: Configure): Promise<ReverseProxy> {
    const folder = await mkdtemp(path.join(tmpdir(), 'proxy-'));
    const place = { folder, upstream, port: await freePort(), ...(await makeCertificate(folder)) };
    const { program, args, env } = await configure(place);
    const child = spawn(program, args, {
      env: { ...env, HOME: folder, PATH: process.env.PATH },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      errors += piece;
    });
    await eventually('the proxy accepts connections', async () => {
      if (child.exitCode !== null) throw new Error(`the proxy ended:\n${errors}`);
      return await accepts(place.port);
    });
    return new ReverseProxy(place, child);
  }

  /** Begins a request. */
  open(target: string, { method = 'GET', headers = {}, body, from }: AskOptions = {}) {
    const options: RequestOptions = {
      ...{ host: '127.0.0.1', servername: 'localhost', port: this.port, ca: this.pem },
      ...{ path: target, method, headers: { Host: 'localhost', ...headers }, localAddress: from },
      agent: false,
    };
    const sent = request(options);
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).on('error', reject);
    });
    response.catch(() => {});
    if (body !== undefined || method === 'GET') sent.end(body);
    return { sent, response };
  }

  /** The whole answer. */
  async ask(target: string, options: AskOptions = {}) {
    const response = await this.open(target, options).response;
    const { statusCode: status, headers, trailers } = response;
    return { status, headers, body: await text(response), trailers };
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null) {
      this.#child.kill('SIGTERM');
      await once(this.#child, 'exit');
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
