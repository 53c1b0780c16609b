import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../../../calls/executor/support/manual-clock.ts';
import { googleError, hang, json, type Reaction, ScriptedServer, text } from './support/scripted-server.ts';
import { someCall, testApi, withoutCredentials } from './support/test-api.ts';

let server: ScriptedServer;
let tokens: ScriptedServer;
let folder: string;

beforeEach(async () => {
  server = await new ScriptedServer().start();
  tokens = await new ScriptedServer().start();
  folder = await mkdtemp(join(tmpdir(), 'credentials-'));
  withoutCredentials(folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.stop();
  await tokens.stop();
  await rm(folder, { recursive: true });
});

/** A file of workload identity federation whose tokens come from `tokens`. */
async function externalAccount(): Promise<void> {
  const subject = join(folder, 'subject');
  await writeFile(subject, 'subject-secret');
  await credentialsFile({
    type: 'external_account',
    audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/a/providers/b',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `${tokens.url}/token`,
    credential_source: { file: subject },
    quota_project_id: 'quota',
  });
}

async function credentialsFile(content: unknown): Promise<void> {
  const path = join(folder, 'credentials.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', path);
}

function token(value: string, seconds = 3600): Reaction {
  return json({
    access_token: value,
    expires_in: seconds,
    token_type: 'Bearer',
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  });
}

const authorizations = () => server.seen.map(({ headers }) => headers.authorization);

describe('a file', () => {
  test('gives a token, asked for once, and the project of quotas', async () => {
    await externalAccount();
    tokens.react(token('one'));
    const api = testApi(server.url);
    await Promise.all([api.call(someCall()), api.call(someCall())]);
    await api.call(someCall());
    expect(authorizations()).toEqual(Array(3).fill('Bearer one'));
    expect(server.seen[0]?.headers['x-goog-user-project']).toBe('quota');
    expect(tokens.seen).toHaveLength(1);
    expect(new URLSearchParams(tokens.seen[0]?.body).get('scope')).toBe(
      'https://www.googleapis.com/auth/bigquery',
    );
  });

  test('gives another token when one is refused, once', async () => {
    await externalAccount();
    tokens.react(token('old'), token('new'));
    server.react(googleError(401, 'authError'), json({ good: true }));
    const api = testApi(server.url);
    expect(await api.call(someCall())).toEqual({ good: true });
    expect(authorizations()).toEqual(['Bearer old', 'Bearer new']);

    // A refusal that stays isn't asked away.
    server.react(googleError(401, 'authError'));
    await expect(api.call(someCall())).rejects.toMatchObject({ status: 401 });
    expect(authorizations().slice(2)).toEqual(['Bearer new']);
    expect(tokens.seen).toHaveLength(2);
  });

  test('that cannot be read is reported, and read again by the next call', async () => {
    await credentialsFile('{');
    const api = testApi(server.url);
    await expect(api.call(someCall())).rejects.toMatchObject({
      name: 'NoCredentials',
      status: undefined,
      message: expect.stringContaining('GOOGLE_APPLICATION_CREDENTIALS'),
    });
    expect(server.seen).toHaveLength(0);
    await externalAccount();
    tokens.react(token('one'));
    await api.call(someCall());
    expect(authorizations()).toEqual(['Bearer one']);
  });

  test('that does not exist is reported', async () => {
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', join(folder, 'none.json'));
    await expect(testApi(server.url).call(someCall())).rejects.toMatchObject({ name: 'NoCredentials' });
    expect(server.seen).toHaveLength(0);
  });
});

describe('a token endpoint', () => {
  test('that refuses is an error without secrets, and BigQuery is not asked', async () => {
    await externalAccount();
    tokens.react(json({ error: 'invalid_grant', error_description: 'The key is gone.' }, 400));
    const error = await testApi(server.url)
      .call(someCall())
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'NoCredentials', attempts: 1 });
    expect(String(error)).toContain('The key is gone.');
    expect(JSON.stringify(error) + String(error)).not.toContain('subject-secret');
    expect(server.seen).toHaveLength(0);
  });

  test.for<[string, Reaction, string]>([
    ['fails', text('', 400), 'HTTP status 400'],
    ['answers something else', text('secret=x'), 'an answer of another form'],
  ])('that %s is told, without what it said', async ([, reaction, told]) => {
    await externalAccount();
    tokens.react(reaction);
    const error = await testApi(server.url)
      .call(someCall())
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'NoCredentials', message: expect.stringContaining(told) });
    expect(String(error)).not.toContain('secret');
  });

  test('that hangs counts towards the timeout of an attempt, and is requested again by the next', async () => {
    await externalAccount();
    tokens.react(hang, token('one'));
    expect(await testApi(server.url).call(someCall({ attemptTimeoutMs: 400 }))).toEqual({});
    expect(tokens.seen).toHaveLength(2);
    expect(authorizations()).toEqual(['Bearer one']);
  });

  test('that hangs is requested again after a while, even if no caller waits so long', async () => {
    await externalAccount();
    tokens.react(hang, token('one'));
    const clock = new ManualClock();
    const api = testApi(server.url, { clock });
    const leaving = new AbortController();
    const left = api.call(someCall({ signal: leaving.signal, attemptTimeoutMs: 20_000 }));
    await expect.poll(() => tokens.seen).toHaveLength(1);
    const reason = new Error('enough');
    leaving.abort(reason);
    await expect(left).rejects.toBe(reason);
    await clock.advance(10_000);
    expect(await api.call(someCall())).toEqual({});
    expect(authorizations()).toEqual(['Bearer one']);
  });

  test('that hangs does not delay a caller who leaves, nor does that caller affect others', async () => {
    await externalAccount();
    let answer = () => {};
    tokens.react((response, request) => {
      answer = () => token('one')(response, request);
    });
    const api = testApi(server.url);
    const leaving = new AbortController();
    const left = api.call(someCall({ signal: leaving.signal }));
    const stayed = api.call(someCall());
    await expect.poll(() => tokens.seen).toHaveLength(1);
    const reason = new Error('enough');
    leaving.abort(reason);
    await expect(left).rejects.toBe(reason);
    answer();
    expect(await stayed).toEqual({});
    await api.call(someCall());
    expect(tokens.seen).toHaveLength(1);
  });
});

describe('a metadata server', () => {
  const metadata: Reaction = (response, request) =>
    request.url.includes('/token')
      ? json({ access_token: 'meta', expires_in: 3600, token_type: 'Bearer' }, 200, flavor)(response, request)
      : text('', 200, flavor)(response, request);
  const flavor = { 'metadata-flavor': 'Google' };

  test('that is named gives tokens, also if it was not there at first', async () => {
    vi.stubEnv('GCE_METADATA_HOST', new URL(tokens.url).host);
    tokens.react(text('', 404));
    const api = testApi(server.url, { isMetadataServerGiven: true });
    await expect(api.call(someCall())).rejects.toMatchObject({ name: 'NoCredentials' });
    tokens.react(metadata);
    await api.call(someCall());
    expect(authorizations()).toEqual(['Bearer meta']);
  });

  test('is not looked for when another server than Google’s is asked', async () => {
    vi.stubEnv('GCE_METADATA_HOST', new URL(tokens.url).host);
    await testApi(server.url).call(someCall());
    expect(authorizations()).toEqual([undefined]);
    expect(tokens.seen).toHaveLength(0);
  });
});
