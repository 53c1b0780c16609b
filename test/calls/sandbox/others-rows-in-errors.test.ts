import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { marker, openWorld, type World } from './support/world.ts';

/**
 * Engines move conditions past each other. What fails on a row, and says why, would tell of rows that the stored conditions leave
 * out, if it were computed before them. `function_logs` finds its project in an array, behind which DuckDB would look last.
 */

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** A text of a row of somebody else, and one that the function takes, for a row of one's own. */
const text = (fine: string) => `if(starts_with(id, '${marker}'), event_message, ${fine})`;

const failing = [
  `parse_numeric(${text(`'1'`)})`,
  `cast(${text(`'1'`)} as numeric)`,
  `cast(${text(`'1'`)} as bignumeric)`,
  `cast(${text(`'1'`)} as int64)`,
  `cast(${text(`'1'`)} as float64)`,
  `cast(${text(`'2026-01-01'`)} as timestamp)`,
  `cast(${text(`'1-1 0 0:0:0'`)} as interval)`,
  `net.ip_from_string(${text(`'1.1.1.1'`)})`,
  `from_base32(${text(`'MZXW6==='`)})`,
  `from_hex(${text(`'00'`)})`,
  `parse_json(${text(`'1'`)})`,
  `parse_timestamp('%F', ${text(`'2026-01-01'`)})`,
  `timestamp('2026-01-01', ${text(`'UTC'`)})`,
  `regexp_extract('y', concat(if(starts_with(id, '${marker}'), '(', ''), 'y'))`,
  `code_points_to_string([if(starts_with(id, '${marker}'), -1, 65)])`,
  `instr('a', 'a', if(starts_with(id, '${marker}'), 0, 1))`,
  `format(if(starts_with(id, '${marker}'), '%d %d', '%d'), 1)`,
  `int64(parse_json(if(starts_with(id, '${marker}'), '"x"', '1')))`,
  `(select x from unnest([1, if(starts_with(id, '${marker}'), 1, 2)]) as x where x = 1)`,
  `if(starts_with(id, '${marker}'), error(event_message), 1)`,
];

describe.each(['function_logs', 'edge_logs'])('rows of others in %s make nothing fail', (table) => {
  test.each(failing)('%s', async (expression) => {
    const asked = [
      `select id from ${table} where (${expression}) is not null`,
      `select id from (select id, ${expression} as x from ${table}) where x is not null`,
      `select a.id from ${table} as a join ${table} as b on a.id = b.id where (${expression.replace(/\b(id|event_message)\b/g, 'a.$1')}) is not null`,
    ];
    for (const sql of asked) expect(JSON.stringify((await world.ask(sql)).rows), sql).not.toContain(marker);
  });
});
