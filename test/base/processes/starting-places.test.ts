import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../../src');

/** The files that match, relative to `src/`. The console's page runs in a browser. */
async function filesWith(pattern: RegExp): Promise<string[]> {
  const names = await readdir(root, { recursive: true });
  const files = names.filter((name) => /\.[jt]sx?$/.test(name) && !name.startsWith('console/'));
  const texts = await Promise.all(files.map((name) => readFile(join(root, name), 'utf8')));
  return files.filter((_, index) => pattern.test(texts[index] ?? '')).sort();
}

test('one module starts processes, and one starts threads, both with the same environment and compile cache', async () => {
  // Types start nothing. The package's command becomes the same program under a later Node.js, before it reads any `.env`.
  expect(await filesWith(/^(?!import type ).*'(?:node:)?child_process'/m)).toEqual([
    'base/processes/start-process.ts',
    'cli/endpoint-gateway.js',
  ]);
  expect(await filesWith(/new Worker\(|(?:from |import\()'(?:node:)?cluster'/)).toEqual([
    'base/processes/start-thread.ts',
  ]);
  // Without a folder, Node takes one that others can make. Children get it by that environment.
  expect(await filesWith(/enableCompileCache\(/)).toEqual(['cli/main.js']);
  expect(await filesWith(/enableCompileCache\(\)/)).toEqual([]);
  expect(await filesWith(/childEnvironment\(\)/)).toEqual([
    'base/processes/child-environment.ts',
    'base/processes/start-process.ts',
    'base/processes/start-thread.ts',
  ]);
});
