import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

describe("the benchmark's sources", () => {
  it('are found from any folder', () => {
    const module = resolve('bench/store/shipped-sources.ts');
    const script = `const { edgeLogs } = await import(${JSON.stringify(module)}); console.log((await edgeLogs()).name)`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: tmpdir(),
      encoding: 'utf8',
    });
    expect(stdout.trim(), stderr).toBe('edge_logs');
  });
});
