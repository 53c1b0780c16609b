import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { settingDescriptions } from '../../src/definitions/settings/config.ts';

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of a Dockerfile, with continued lines joined. */
async function instructionsOf(file: string): Promise<Instruction[]> {
  const lines = (await readFile(file, 'utf8')).replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n/g, ' ');
  return Array.from(lines.matchAll(/^([A-Z]+) +(.*)$/gm), ([, name = '', text = '']) => ({
    name,
    text: text.replaceAll(/\s+/g, ' '),
  }));
}

const instructions = await instructionsOf('Dockerfile');
const image = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
const texts = (name: string, within = image) =>
  within.filter((instruction) => instruction.name === name).map(({ text }) => text);
const known = settingDescriptions.map(({ variable }) => variable);

test('base images have versions, and Node is the one that the package brings', () => {
  const bases = texts('ARG', instructions).filter((text) => text.includes('_IMAGE='));
  expect(bases).toHaveLength(2);
  for (const base of bases) expect(base).toMatch(/=[a-z]+:\d[\w.-]*$/);
  expect(texts('FROM', instructions).every((from) => from.startsWith('${'))).toBe(true);
  const [node] = bases;
  expect(node).toContain(
    `node:${/"node(?:-linux-x64)?": "([\d.]+)"/.exec(JSON.stringify(packageFile, null, 1))?.[1]}-`,
  );
});

test('the image runs as a user with a fixed number, who can log in nowhere', () => {
  expect(texts('USER')).toEqual(['10001:10001']);
  expect(texts('RUN').join()).toMatch(/useradd --uid 10001 .*nologin/);
});

test('signals reach the gateway: no shell starts it', () => {
  expect(texts('STOPSIGNAL')).toEqual(['SIGTERM']);
  expect(texts('ENTRYPOINT').map((text) => JSON.parse(text))).toEqual([['endpoint-gateway']]);
  expect(texts('CMD').map((text) => JSON.parse(text))).toEqual([['serve']]);
  expect(texts('HEALTHCHECK')).toEqual([expect.stringMatching(/ CMD \["endpoint-gateway", "health"\]$/)]);
});

test('the settings of the image exist, and its port and folder are declared', () => {
  const [environment = ''] = texts('ENV');
  const set = Object.fromEntries(environment.split(' ').map((pair) => pair.split('=')));
  for (const name of Object.keys(set))
    if (!['PATH', 'NODE_ENV', 'XDG_CACHE_HOME'].includes(name)) expect(known).toContain(name);
  expect(texts('EXPOSE')).toEqual([set.PORT]);
  expect(texts('VOLUME')).toEqual([set.DATA_DIR]);
  expect(set.HOST).toBe('0.0.0.0');
});

test('the image tells the version of the package', () => {
  expect(texts('ARG')).toEqual([`VERSION=${packageFile.version}`]);
  expect(texts('LABEL').join()).toMatch(/image\.version="\$\{VERSION\}"/);
});

test('the build sees neither rows nor keys, but all that the package consists of', async () => {
  const lines = (await readFile('.dockerignore', 'utf8')).split('\n').filter((line) => /^[^#]/.test(line));
  expect(lines[0]).toBe('*');
  expect(lines).not.toContain('!data');
  for (const needed of ['package.json', 'package-lock.json', 'src', 'schema', 'LICENSE', 'CHANGELOG.md']) {
    expect(lines).toContain(`!${needed}`);
  }
});
