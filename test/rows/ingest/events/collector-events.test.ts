import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { JsonNumber, parseWithDigits } from '../../../../src/base/text/json-number.ts';
import { withNewFields } from '../../../../src/definitions/sources/added-fields.ts';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import { makeSource } from '../../../engines/duckdb/store/support.ts';
import { parse, reasons } from './support.ts';

/** Events as collectors and clouds send them, after their public formats. */
const events: Readonly<Record<string, readonly object[]>> = JSON.parse(
  await readFile(new URL('collector-events.json', import.meta.url), 'utf8'),
);
const bare = makeSource('app', { name: 'event_message', type: 'STRING' });

/** The source that has all fields of a body, and the body's rows with them. */
function stored(body: readonly object[], source: Source) {
  let grown = source;
  for (let tries = 0; tries < 3; tries++) {
    const parsed = parse(body, grown, { rows: 'whole', addedFields: tries === 0 ? 0 : 200 });
    expect(reasons(parsed)).toEqual([]);
    if (parsed.newFields.length === 0) {
      const [rows] = parsed.sources[0]?.parts ?? [];
      return rows !== undefined && 'text' in rows ? rows.text.split('\n') : [];
    }
    [grown = source] = withNewFields([grown], parsed.newFields);
  }
  throw new Error('there are always new fields');
}

/** All texts, numbers and truth values in a value, as texts. JSON in texts counts by what is in it. */
function leaves(value: unknown, into: string[] = []): string[] {
  if (typeof value === 'string' && /^[[{"]/.test(value)) {
    try {
      return leaves(parseWithDigits(value), into);
    } catch {
      // Not JSON.
    }
  }
  if (value instanceof JsonNumber || typeof value !== 'object') into.push(String(value));
  else if (value !== null) for (const inner of Object.values(value)) leaves(inner, into);
  return into;
}

/** A time of an event is in the row in one form. */
const isTime = (leaf: string) => /^\d{4}-\d\d-\d\dT/.test(leaf) || /^\d{10,}/.test(leaf);

describe.each([
  ['in columns', { ...bare, unknownFields: 'add' } as const],
  ['in one column', { ...bare, columns: [...bare.columns, ...jsonColumn()], unknownFields: 'json' } as const],
])('no value is lost %s', (_, source) => {
  test.each([...Object.entries(events), ['all of them together', Object.values(events).flat()] as const])(
    'of %s',
    (_name, body) => {
      const rows = stored(body, source);
      expect(rows).toHaveLength(body.length);
      for (const [index, event] of body.entries()) {
        const found = new Set(leaves(parseWithDigits(rows[index] ?? '')));
        const missing = leaves(parseWithDigits(JSON.stringify(event))).filter(
          (leaf) => !found.has(leaf) && !isTime(leaf),
        );
        expect(missing).toEqual([]);
      }
    },
  );
});

function jsonColumn() {
  return makeSource('other', { name: 'other_fields', type: 'JSON' }).columns.slice(-1);
}
