import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { schemaFiles } from '../../../src/app/reload/schema-files.ts';

it('a fingerprint changes with each file of endpoints, also with those of older versions, and with nothing else', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(path.join(folder, 'orders'));
  const fingerprint = async () => {
    const folders = { endpointsDir: folder, sourcesDir: path.join(folder, 'nowhere') };
    return (await schemaFiles(folders)).endpoints;
  };
  const seen = new Set([await fingerprint()]);
  for (const [name, text] of [
    ['orders.sql', 'a'],
    ['orders/v1.sql', 'a'],
    ['orders/v1.sql', 'b'],
    ['functions.json', '[]'],
  ] as const) {
    await writeFile(path.join(folder, name), text);
    const now = await fingerprint();
    expect(seen, name).not.toContain(now);
    seen.add(now);
  }
  for (const name of ['README.md', 'orders/README.md', 'orders/.v1.sql.swp', '.hidden.sql'])
    await writeFile(path.join(folder, name), 'a');
  expect(seen).toContain(await fingerprint());
});
