import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a request for a path, with its query, is answered: a status and a body. */
export type Answers = Readonly<Record<string, readonly [status: number, body: object]>>;

/** A server that knows these answers, and Google's for everything else. Gives its URL, and the paths it was asked. */
export async function tableServer(answers: Answers): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    const path = (request.url ?? '')
      .replace('/bigquery/v2/projects/', '')
      .replace(/[?&]prettyPrint=false/, '');
    asked.push(path);
    const [status, body] = answers[path] ?? googleError(404, 'notFound', `Not found: ${path}`);
    response.writeHead(status, { 'Content-Type': 'application/json; charset=UTF-8' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked };
}

/** An error in the form of Google's APIs. */
export function googleError(status: number, reason: string, message: string): readonly [number, object] {
  return [status, { error: { code: status, message, errors: [{ message, domain: 'global', reason }] } }];
}
