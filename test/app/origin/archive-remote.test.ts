import { generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveRemote } from '../../../src/app/origin/archive/archive-remote.ts';
import { writeTar } from '../../../src/app/origin/tree/write-tar.ts';
import { type ArchiveOrigin, parseOrigin } from '../../../src/definitions/origin/endpoints-origin.ts';
import { portOf } from '../../support/redis.ts';

const tar = await writeTar([{ path: 'endpoints/one.sql', bytes: Buffer.from('SELECT 1') }]);
const other = await writeTar([{ path: 'endpoints/two.sql', bytes: Buffer.from('SELECT 2') }]);
const digest = hash('sha256', tar);
const version = `sha256:${digest}`;
const keys = generateKeyPairSync('ed25519');
const signature = (bytes: Buffer, key = keys.privateKey) => sign(null, bytes, key).toString('base64');
const page = '<!DOCTYPE html><html>Please log in</html>';

/** What the bucket answers, by path. */
const bucket = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
const requests: string[] = [];
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://bucket');
  requests.push(`${request.headers.authorization ?? 'nobody'} ${pathname}`);
  const answer = bucket.get(pathname);
  if (answer === undefined) response.writeHead(404).end();
  else answer(request, response);
});
let url = '';
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${portOf(server)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const put = (path: string, body: string | Buffer) => bucket.set(path, (_, response) => response.end(body));

interface Secrets {
  readonly token?: string;
  readonly keys?: readonly KeyObject[];
}

function remoteAt(path: string, secrets: Secrets = {}) {
  const origin = parseOrigin(`${url}${path}`) as ArchiveOrigin;
  return archiveRemote(origin, { token: secrets.token, keys: secrets.keys });
}

const never = new AbortController().signal;
const latest = (path: string, secrets?: Secrets, known?: string) =>
  remoteAt(path, secrets).latest(known, never);

test('a tarball with the right digest is taken, and not fetched again', async () => {
  put('/a.tar', tar);
  expect(await latest(`/a.tar#sha256=${digest}`)).toEqual({
    version,
    files: [{ path: 'endpoints/one.sql', bytes: Buffer.from('SELECT 1') }],
  });
  requests.length = 0;
  expect(await latest(`/a.tar#sha256=${digest}`, {}, version)).toBeUndefined();
  expect(requests).toEqual([]);
});

test('another digest, and a page in place of a tarball, are named', async () => {
  put('/other.tar', other);
  put('/page.tar', page);
  await expect(latest(`/other.tar#sha256=${digest}`)).rejects.toThrow(
    `the tarball has the digest sha256:${hash('sha256', other)}, not ${version}`,
  );
  await expect(latest(`/page.tar#sha256=${digest}`)).rejects.toThrow(
    'an HTML page, which the server sends instead of a tarball, has the digest',
  );
});

test('a signature by one of the keys is required before anything is read', async () => {
  const others = generateKeyPairSync('ed25519');
  const signed = { keys: [others.publicKey, keys.publicKey] };
  put('/signed.tar', tar);
  await expect(latest('/signed.tar', signed)).rejects.toThrow(
    'its signature (.sig): the server answers with status 404',
  );
  put('/signed.tar.sig', `${signature(tar)}\n`);
  expect(await latest('/signed.tar', signed)).toMatchObject({ version });
  const refused = 'is not signed by ENDPOINTS_PUBLIC_KEY';
  await expect(latest('/signed.tar', { keys: [others.publicKey] })).rejects.toThrow(refused);
  for (const wrong of [signature(other), signature(tar, others.privateKey).slice(4), '', page]) {
    put('/signed.tar.sig', wrong);
    await expect(latest('/signed.tar', { keys: [keys.publicKey] })).rejects.toThrow(refused);
  }
  // A digest doesn't replace the signature.
  await expect(latest(`/signed.tar#sha256=${digest}`, { keys: [keys.publicKey] })).rejects.toThrow(refused);
  put('/page.tar', page);
  put('/page.tar.sig', signature(tar));
  await expect(latest('/page.tar', signed)).rejects.toThrow('an HTML page');
});

test('an unchanged tarball is asked for by its ETag', async () => {
  const statuses: number[] = [];
  let [body, etag] = [tar, '"1"'];
  bucket.set('/tagged.tar', (request, response) => {
    const isKnown = request.headers['if-none-match'] === etag;
    statuses.push(isKnown ? 304 : 200);
    response.writeHead(isKnown ? 304 : 200, { ETag: etag }).end(isKnown ? undefined : body);
  });
  bucket.set('/tagged.tar.sig', (_, response) => response.end(signature(body)));
  const remote = remoteAt('/tagged.tar', { keys: [keys.publicKey] });
  expect(await remote.latest(undefined, never)).toMatchObject({ version });
  expect(await remote.latest(version, never)).toBeUndefined();
  [body, etag] = [other, '"2"'];
  expect(await remote.latest(version, never)).toMatchObject({ version: `sha256:${hash('sha256', other)}` });
  expect(statuses).toEqual([200, 304, 200]);
});

test('an interrupted download is no tarball', async () => {
  bucket.set('/cut.tar', (_, response) => {
    response.writeHead(200, { 'Content-Length': tar.length });
    response.write(tar.subarray(0, 600), () => response.destroy());
  });
  await expect(latest(`/cut.tar#sha256=${digest}`)).rejects.toThrow('the download was interrupted');
});

test('too large a tarball is given up', async () => {
  bucket.set('/large.tar', (_, response) => {
    const chunk = Buffer.alloc(1_000_000);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  await expect(latest(`/large.tar#sha256=${digest}`)).rejects.toThrow('it is larger than 100 MB');
});

test('credentials go to the host of the URL only', async () => {
  const elsewhere = createServer((request, response) => {
    requests.push(`elsewhere: ${request.headers.authorization ?? 'nobody'}`);
    response.end(tar);
  });
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
  put('/stored.tar', tar);
  bucket.set('/moved.tar', (_, response) => response.writeHead(302, { Location: '/stored.tar' }).end());
  bucket.set('/away.tar', (_, response) =>
    response.writeHead(302, { Location: `http://127.0.0.1:${portOf(elsewhere)}/` }).end(),
  );
  bucket.set('/round.tar', (_, response) => response.writeHead(302, { Location: '/round.tar' }).end());
  requests.length = 0;
  await latest(`/moved.tar#sha256=${digest}`, { token: 'secret' });
  expect(requests).toEqual(['Bearer secret /moved.tar', 'Bearer secret /stored.tar']);
  // Not encrypted, so not even without credentials.
  await expect(latest(`/away.tar#sha256=${digest}`, { token: 'secret' })).rejects.toThrow(
    'a place that is not https',
  );
  expect(requests.some((each) => each.startsWith('elsewhere'))).toBe(false);
  await expect(latest(`/round.tar#sha256=${digest}`)).rejects.toThrow('redirects more than 5 times');
  elsewhere.close();
});

test('a server that is not there is named by its error, never by the URL', async () => {
  const free = createServer();
  await once(free.listen(0, '127.0.0.1'), 'listening');
  const port = portOf(free);
  free.close();
  await once(free, 'close');
  const origin = parseOrigin(`http://robot:secret@127.0.0.1:${port}/a.tar?sig=hidden#sha256=${digest}`);
  const failure = archiveRemote(origin as ArchiveOrigin, { token: undefined, keys: undefined }).latest(
    undefined,
    never,
  );
  await expect(failure).rejects.toThrow("the server can't be reached (ECONNREFUSED)");
});
