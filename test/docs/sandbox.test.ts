import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultSandboxLimits } from '../../src/calls/sandbox/limits.ts';
import { openWorld, type World } from '../calls/sandbox/support/world.ts';
import { blocksOf, quoted, tableRows } from './markdown.ts';

const file = 'docs/sandbox.md';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

describe(file, () => {
  test('its queries run', async () => {
    const queries = await blocksOf(file, 'sql');
    expect(queries.length).toBeGreaterThan(3);
    for (const sql of queries) expect((await world.ask(sql)).columns).not.toEqual([]);
  });

  test('its refusals are those that are given', async () => {
    for (const [query = '', code = '', answer = ''] of await tableRows(file, 'Query')) {
      const error = await world.ask(quoted(query)).catch((reason) => reason);
      expect(`\`${error.code}\``).toBe(code);
      if (answer.endsWith('...')) expect(error.message).toContain(quoted(answer));
      else expect(error.message).toBe(quoted(answer));
    }
  });

  test('its limits are the real ones', async () => {
    const documented = (await tableRows(file, 'Limit')).map(([, limit = '']) =>
      Number.parseInt(limit.replace(/,/g, ''), 10),
    );
    expect(documented).toEqual(Object.values(defaultSandboxLimits));
  });
});
