import type { Random } from '../../../fuzz/random.ts';
import { callModifiers, endings, oddAtoms, oddTypes } from './odd-atoms.ts';

/** A call of a function with odd arguments, some of them calls themselves. */
export function oddCall(names: readonly string[], dice: Random, depth = 2): string {
  const argument = (): string => {
    if (depth > 0 && dice.isLess(0.25)) return oddCall(names, dice, depth - 1);
    const atom = dice.isLess(0.15) ? `CAST(NULL AS ${dice.pick(oddTypes)})` : dice.pick(oddAtoms);
    return dice.isLess(0.1) ? `${atom} ${dice.pick(endings)}` : atom;
  };
  const first = dice.isLess(0.08) ? 'DISTINCT ' : '';
  const list = Array.from({ length: dice.below(dice.isLess(0.1) ? 9 : 5) }, argument).join(', ');
  const modifier = dice.isLess(0.15) ? ` ${dice.pick(callModifiers)}` : '';
  const safe = dice.isLess(0.1) ? 'SAFE.' : '';
  const ending = dice.isLess(0.15) ? ` ${dice.pick(endings)}` : '';
  return `${safe}${dice.pick(names)}(${first}${list}${modifier})${ending}`;
}

/** A query around an odd call. */
export function oddCallQuery(names: readonly string[], dice: Random): string {
  const call = oddCall(names, dice);
  return dice.pick([
    `SELECT ${call}`,
    `SELECT ${call}`,
    `SELECT ${call} FROM nums`,
    `SELECT ${call}, COUNT(*) FROM nums GROUP BY ALL`,
    `SELECT t, ${call} FROM nums GROUP BY t`,
    `SELECT id FROM nums WHERE ${call}`,
    `SELECT * FROM nums, UNNEST(${call}) AS u`,
    `SELECT ${call} FROM edge_logs, UNNEST(metadata) AS m`,
    `SELECT s FROM nums ORDER BY ${call} LIMIT 1`,
    `CREATE TEMP FUNCTION f(x ${dice.pick(oddTypes)}) AS (${call}); SELECT f(${dice.pick(oddAtoms)})`,
  ]);
}
