import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileLql } from '../../src/sql/lql/compile/compile-lql.ts';
import { regexpMistake } from '../../src/sql/regexp/parse.ts';
import { openWorld, type World } from '../calls/sandbox/support/world.ts';
import { blocksOf, tableRows } from './markdown.ts';

const file = 'docs/lql.md';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

const sqlOf = (lql: string) => {
  const { tables } = world.endpoint('logs.all');
  return compileLql(
    lql,
    tables.map(({ name, plan }) => ({ name, columns: plan.columns })),
    regexpMistake,
  );
};

/** What stands in a cell's first backquotes; they may hold a backslash. */
const example = (cell = '') => /^`(.*?)`/.exec(cell)?.[1] ?? '';

describe(file, () => {
  test('its examples run, each a form of its own', async () => {
    const text = await readFile(file, 'utf8');
    const tables = text.slice(0, text.indexOf('## Errors'));
    const examples = [...tables.matchAll(/^\| `(.*?)` \|/gm)].map(([, lql = '']) => lql);
    expect(examples.length).toBeGreaterThan(50);
    for (const lql of [...examples, ...(await blocksOf(file, 'lql'))]) {
      const whole = /(?:^|\s)(?:f|from):/.test(lql) ? lql : `f:edge_logs ${lql}`;
      expect((await world.ask(sqlOf(whole))).columns).not.toEqual([]);
    }
  });

  test('the SQL that it shows is what becomes of the text', async () => {
    const [sql = ''] = await blocksOf(file, 'sql');
    const [command = ''] = await blocksOf(file, 'sh');
    expect(`${sqlOf(/'(.*)'/.exec(command)?.[1] ?? '')}\n`).toBe(sql);
  });

  test('its refusals are those that are given', async () => {
    for (const [text, answer] of await tableRows(file, 'Text')) {
      expect(() => sqlOf(example(text))).toThrow(example(answer));
    }
  });
});
