import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectFolder } from '../../../src/tools/endpoint-tests/test-paths.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'project-')));
  await mkdir(join(root, 'src/queries/endpoints'), { recursive: true });
});
afterEach(() => rm(root, { recursive: true }));

test('the project is the folder above the endpoints', async () => {
  expect(await projectFolder(join(root, 'src/queries/endpoints'))).toBe(join(root, 'src/queries'));
});

test.each(['package.json', '.git'])('or the nearest one with %s', async (sign) => {
  await writeFile(join(root, sign), '');
  expect(await projectFolder(join(root, 'src/queries/endpoints'))).toBe(root);
  await writeFile(join(root, 'src', sign), '');
  expect(await projectFolder(join(root, 'src/queries/endpoints'))).toBe(join(root, 'src'));
});

test('a link to the endpoints leads to the project in which they are', async () => {
  await mkdir(join(root, 'other'));
  await symlink(join(root, 'src/queries/endpoints'), join(root, 'other/endpoints'));
  expect(await projectFolder(join(root, 'other/endpoints'))).toBe(join(root, 'src/queries'));
});
