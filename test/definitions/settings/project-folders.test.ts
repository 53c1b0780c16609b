import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';

const shipped = resolve('schema');

test('the folders of endpoints and sources are those of the current folder if it has them, else the shipped ones', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'folders-')));
  const before = process.cwd();
  onTestFinished(async () => {
    process.chdir(before);
    await rm(folder, { recursive: true });
  });
  process.chdir(folder);
  const foldersOf = (environment: Record<string, string>) => {
    const { endpointsDir, sourcesDir } = readConfig(environment);
    return [endpointsDir, sourcesDir];
  };
  expect(foldersOf({})).toEqual([join(shipped, 'endpoints'), join(shipped, 'sources')]);
  await mkdir('endpoints');
  expect(foldersOf({})).toEqual([join(folder, 'endpoints'), join(shipped, 'sources')]);
  await mkdir('sources');
  expect(foldersOf({})).toEqual([join(folder, 'endpoints'), join(folder, 'sources')]);
  expect(foldersOf({ SOURCES_DIR: 'tables' })).toEqual([join(folder, 'endpoints'), join(folder, 'tables')]);
});
