import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

describe('the benchmark', () => {
  it('ends with an exit code and the reason when a part has failed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-main-'));
    const env = { ...process.env, BENCH_DIR: folder, DUCKDB_MEMORY_LIMIT: 'none' };
    const args = ['bench/main.ts', 'import', '--import-rows', '1000'];
    const { status, stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect(status).toBe(1);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .find((line) => line.startsWith('FAILED')),
    ).toContain('FAILED import: Error: the import ended with exit code');
  });
});
