import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { portOf } from '../../../support/redis.ts';
import type { Repository } from './repository.ts';

/** A repository over HTTP, as git's own program for web servers answers. Who sends any credentials may read and push. */
export class HttpRepository {
  /** Whether credentials are for reading only. */
  forbidsPush = false;
  readonly authorizations = new Set<string | undefined>();
  readonly #server: Server;

  private constructor(repository: Repository) {
    this.#server = createServer((request, response) => this.#answer(repository, request, response));
  }

  static async over(repository: Repository): Promise<HttpRepository> {
    const http = new HttpRepository(repository);
    repository.git('-C', repository.bare, 'config', 'http.receivepack', 'true');
    await once(http.#server.listen(0, '127.0.0.1'), 'listening');
    return http;
  }

  /** Its URL, for ENDPOINTS_FROM. */
  url(user: string): string {
    return `git+http://${user}@127.0.0.1:${portOf(this.#server)}/bare.git`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(repository: Repository, request: IncomingMessage, response: ServerResponse): void {
    const { url = '', method = '', headers } = request;
    this.authorizations.add(headers.authorization);
    if (headers.authorization === undefined) return void response.writeHead(401).end();
    if (this.forbidsPush && url.includes('git-receive-pack')) return void response.writeHead(403).end();
    const [path = '', query = ''] = url.split('?');
    const backend = spawn(join(execFileSync('git', ['--exec-path']).toString().trim(), 'git-http-backend'), {
      env: {
        ...{ PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
        ...{ GIT_PROJECT_ROOT: repository.folder, GIT_HTTP_EXPORT_ALL: '1', PATH_INFO: path },
        ...{ QUERY_STRING: query, REQUEST_METHOD: method, CONTENT_TYPE: headers['content-type'] ?? '' },
        ...{ HTTP_CONTENT_ENCODING: headers['content-encoding'], REMOTE_USER: 'robot' },
        ...{ GIT_PROTOCOL: String(headers['git-protocol'] ?? ''), REMOTE_ADDR: '127.0.0.1' },
        ...(headers['content-length'] && { CONTENT_LENGTH: headers['content-length'] }),
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    request.pipe(backend.stdin);
    const output: Buffer[] = [];
    backend.stdout.on('data', (data: Buffer) => output.push(data));
    backend.on('close', () => {
      const all = Buffer.concat(output);
      const end = all.indexOf('\r\n\r\n');
      const fields = all
        .subarray(0, end)
        .toString()
        .split('\r\n')
        .map((line) => line.split(': ', 2) as [string, string]);
      const status = fields.find(([name]) => name === 'Status')?.[1];
      const others = fields.filter(([name]) => name !== 'Status');
      response.writeHead(Number.parseInt(status ?? '200', 10), Object.fromEntries(others));
      response.end(all.subarray(end + 4));
    });
  }
}
