import { describe, expect, it } from 'vitest';
import { proveIs } from '../../bench/proof.ts';
import { runParts } from '../../bench/run-parts.ts';

const finding = { part: 'c', what: 'w', detail: '', result: '', target: '', isMet: true };

describe('the parts of the benchmark', () => {
  it('run all, even if one of them fails, and report its name and reason', async () => {
    const printed: string[] = [];
    const run = async (name: string) => {
      if (name === 'a') proveIs(1, 2, 'engine runs');
      return name === 'b' ? [] : [finding];
    };
    const outcome = await runParts(['a', 'b', 'c'], run, (text) => printed.push(text));
    const failures = ['FAILED a: engine runs: expected 2, found 1', 'FAILED b: nothing was measured'];
    expect(outcome).toEqual({ findings: [finding], failures });
    expect(printed).toEqual(['a ...', failures[0], 'b ...', failures[1], 'c ...']);
  });

  it('show where a defect is', async () => {
    const run = () => Promise.reject(new TypeError('no such thing'));
    const { failures } = await runParts(['a'], run, () => undefined);
    expect(failures[0]).toMatch(/^FAILED a: TypeError: no such thing\n {4}at /);
  });
});
