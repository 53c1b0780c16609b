import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureImport } from '../../../bench/parts/import-rows.ts';

describe('the measurement of imports', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const options = () => ({
    rows: 1_000,
    now: BigInt(Date.now()) * 1000n,
    folder,
    packageDir: process.cwd(),
    environment: process.env,
  });

  it('finds the rows of the file in the store', async () => {
    const [speed] = await measureImport(options());
    expect(speed?.detail).toContain('; 1,000 rows in the store');
  });

  it('fails when the rows are not in the store', async () => {
    const command = [process.execPath, '--eval', '0'] as const;
    await expect(measureImport({ ...options(), command })).rejects.toThrow('there is no store');
    // The first line is taken for the whole file.
    const first =
      'mkdir -p "$DATA_DIR"; head -n 1 "$2" > "$DATA_DIR/one"; exec "$0" src/cli/main.js import "$1" "$DATA_DIR/one"';
    const some = ['sh', '-c', first, process.execPath] as const;
    await expect(measureImport({ ...options(), command: some })).rejects.toThrow(
      'rows in the store: expected 1000, found 1',
    );
  });
});
