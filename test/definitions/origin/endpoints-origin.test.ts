import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { parseOrigin } from '../../../src/definitions/origin/endpoints-origin.ts';
import { ConfigError } from '../../../src/definitions/settings/config.ts';

const digest = 'ab'.repeat(32);

test('a repository has a ref and a folder', () => {
  expect(parseOrigin('git+https://host/team/repo.git?path=logs/schema#release/2')).toMatchObject({
    ...{ kind: 'git', url: 'https://host/team/repo.git', protocol: 'https' },
    ...{ folder: 'logs/schema', ref: 'release/2' },
  });
  expect(parseOrigin('git+file:///srv/repo.git')).toMatchObject({
    ref: undefined,
    folder: '',
    protocol: 'file',
  });
});

test('nothing that is shown has a secret, and secrets do not change which origin it is', () => {
  const git = parseOrigin('git+https://robot:p%40ss@host/repo.git#main');
  expect(git).toMatchObject({ user: 'robot', password: 'p@ss', shown: 'git+https://host/repo.git#main' });
  expect(git.id).toBe(parseOrigin('git+https://host/repo.git#main').id);
  expect(git.id).not.toBe(parseOrigin('git+https://host/repo.git#other').id);
  const archive = parseOrigin(`https://bucket/a.tar?X-Signature=hidden#sha256=${digest}`);
  expect(archive).toMatchObject({ sha256: digest, url: 'https://bucket/a.tar?X-Signature=hidden' });
  expect(archive.shown).toBe(`https://bucket/a.tar?…#sha256=${digest}`);
});

test.each([
  ['ftp://host/a.tar', 'expected git+https'],
  ['git+ssh://host/repo.git', 'expected git+https'],
  ['/srv/endpoints.tar', 'expected git+https'],
  ['file:///srv/endpoints.tar', 'expected git+https'],
  ['http://host/a.tar', 'http is for this machine only'],
  ['git+http://10.0.0.1/repo.git', 'http is for this machine only'],
  ['git+https://host/repo.git#--upload-pack=touch', 'expected the name of a branch'],
  ['git+https://host/repo.git#-x', 'expected the name of a branch'],
  ['git+https://host/repo.git#a..b', 'expected the name of a branch'],
  ['git+https://host/repo.git#a:b', 'expected the name of a branch'],
  ['git+https://host/repo.git#refs/heads/*', 'expected the name of a branch'],
  ['git+https://host/repo.git?path=../other', 'path: expected a folder'],
  ['git+https://host/repo.git?path=/etc', 'path: expected a folder'],
  ['git+https://host/repo.git?ref=main', 'expected no parameter but path'],
  ['https://host/a.tar#sha256=abc', 'expected #sha256='],
  ['https://host/a.tar#%', 'expected #sha256='],
])('%s is refused', (text, reason) => {
  expect(() => parseOrigin(text)).toThrow(reason);
});

function problemsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('a tarball needs a digest or a key', () => {
  const publicKey = generateKeyPairSync('ed25519')
    .publicKey.export({ type: 'spki', format: 'pem' })
    .toString();
  expect(problemsOf({ ENDPOINTS_FROM: 'https://host/a.tar' })).toEqual([
    'ENDPOINTS_FROM: a tarball needs its digest after the URL, as #sha256=…, or ENDPOINTS_PUBLIC_KEY',
  ]);
  expect(problemsOf({ ENDPOINTS_FROM: `https://host/a.tar#sha256=${digest}` })).toEqual([]);
  expect(problemsOf({ ENDPOINTS_FROM: 'https://host/a.tar', ENDPOINTS_PUBLIC_KEY: publicKey })).toEqual([]);
  const other = generateKeyPairSync('x25519').publicKey.export({ type: 'spki', format: 'der' });
  expect(problemsOf({ ENDPOINTS_PUBLIC_KEY: other.toString('base64') })).toEqual([
    'ENDPOINTS_PUBLIC_KEY: expected public keys of Ed25519, as endpoint-gateway pack --sign prints them',
  ]);
});

test('folders of this machine are no second place', () => {
  const from = 'git+https://robot:secret@host/repo.git';
  expect(problemsOf({ ENDPOINTS_FROM: from, ENDPOINTS_DIR: 'endpoints', SOURCES_DIR: 'sources' })).toEqual([
    'ENDPOINTS_DIR: not together with ENDPOINTS_FROM',
    'SOURCES_DIR: not together with ENDPOINTS_FROM',
  ]);
  expect(problemsOf({ ENDPOINTS_FROM: `${from}#-secret` }).join()).not.toContain('secret');
  const { endpointsDir, sourcesDir } = readConfig({ ENDPOINTS_FROM: from, DATA_DIR: '/data' });
  expect(endpointsDir).toMatch(/^\/data\/fetched\/[0-9a-f]{16}\/current\/endpoints$/);
  expect(sourcesDir).toBe(endpointsDir.replace(/endpoints$/, 'sources'));
});

test('pushed branches need a git repository, and the start of a name', () => {
  const from = 'git+https://host/repo.git';
  expect(readConfig({ ENDPOINTS_FROM: from }).endpointsPushPrefix).toBeUndefined();
  for (const prefix of ['console/', 'gateway-', 'a/b.c/']) {
    const config = readConfig({ ENDPOINTS_FROM: from, ENDPOINTS_PUSH_PREFIX: prefix });
    expect(config.endpointsPushPrefix).toBe(prefix);
  }
  const wrong = [
    '-x',
    'refs/heads/',
    '/a',
    'a//',
    'a..',
    'a b',
    'a:',
    'main:',
    '+a',
    'a/.',
    'ä',
    'a'.repeat(101),
  ];
  for (const prefix of wrong)
    expect(problemsOf({ ENDPOINTS_FROM: from, ENDPOINTS_PUSH_PREFIX: prefix })).toEqual([
      'ENDPOINTS_PUSH_PREFIX: expected how the names of branches begin, such as console/',
    ]);
  const tarball = `https://host/a.tar#sha256=${digest}`;
  for (const other of [{}, { ENDPOINTS_FROM: tarball }])
    expect(problemsOf({ ...other, ENDPOINTS_PUSH_PREFIX: 'console/' })).toEqual([
      'ENDPOINTS_PUSH_PREFIX: needs a git repository in ENDPOINTS_FROM',
    ]);
});
