import { type Token, tokens } from '../../../../src/sql/text/lexer.ts';
import type { Random } from '../../../fuzz/random.ts';
import { callModifiers, endings, oddAtoms, oddTypes, queryEndings, tableEndings } from './odd-atoms.ts';

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']' };

/** The text between two tokens, both included. */
interface Span {
  readonly first: number;
  readonly last: number;
}

/** The token that closes a bracket, if there is one. */
function closedBy(all: readonly Token[], open: number): number | undefined {
  const [opens = '', closes] = [all[open]?.text, closing[all[open]?.text ?? '']];
  let depth = 0;
  for (let i = open; i < all.length; i++) {
    if (all[i]?.text === opens) depth++;
    if (all[i]?.text === closes && --depth === 0) return i;
  }
  return undefined;
}

function isBracket({ kind, text }: Token): boolean {
  return kind === 'symbol' && text in closing;
}

/** An expression or something like it: a token, a pair of brackets with what is in it, or a call. */
function someSpan(all: readonly Token[], dice: Random): Span {
  const first = dice.below(all.length);
  const open = all[first];
  if (open !== undefined && isBracket(open)) return { first, last: closedBy(all, first) ?? first };
  const next = all[first + 1];
  if (open?.kind === 'word' && next?.text === '(') return { first, last: closedBy(all, first + 1) ?? first };
  return { first, last: first };
}

/** The expressions of a text, which other texts are given. */
export function fragmentsOf(sql: string): readonly string[] {
  const all = [...tokens(sql)];
  return all.flatMap((token, first) => {
    const open = isBracket(token) ? first : all[first + 1]?.text === '(' ? first + 1 : undefined;
    const last = open === undefined ? undefined : closedBy(all, open);
    const end = last === undefined ? undefined : all[last]?.end;
    return end === undefined || end - token.start > 400 ? [] : [sql.slice(token.start, end)];
  });
}

const tableWords = new Set(['FROM', 'JOIN']);
const typeWords = new Set(oddTypes.filter((type) => /^\w+$/.test(type)));

/** Changes a text at one place. */
export function mutated(sql: string, fragments: readonly string[], dice: Random): string {
  const all = [...tokens(sql)];
  if (all.length === 0) return dice.pick(fragments);
  const { first, last } = someSpan(all, dice);
  const [from, to] = [all[first]?.start ?? 0, all[last]?.end ?? 0];
  const whole = sql.slice(from, to);
  const put = (text: string) => `${sql.slice(0, from)}${text}${sql.slice(to)}`;
  const odd = () => (dice.isLess(0.5) ? dice.pick(oddAtoms) : dice.pick(fragments));
  const places = (words: ReadonlySet<string>) => all.filter(({ text }) => words.has(text));
  switch (dice.below(18)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return put(odd());
    case 4:
      return put(`${whole} ${dice.pick(endings)}`);
    case 5:
      return put(`(${whole}) ${dice.pick(endings)}`);
    case 6:
      return whole.endsWith(')') ? put(`${whole.slice(0, -1)} ${dice.pick(callModifiers)})`) : put(odd());
    case 7:
      return whole.endsWith(')') ? put(`${whole.slice(0, -1)}, ${odd()})`) : put('');
    case 8:
      return whole.includes('(') ? put(whole.replace(/\(\s*/, `(${odd()}, `)) : put(`${whole}, ${odd()}`);
    case 9:
      return put(
        dice.pick([
          `SAFE.${whole}`,
          `NOT ${whole}`,
          `-${whole}`,
          `DISTINCT ${whole}`,
          `(${whole})`,
          `[${whole}]`,
        ]),
      );
    case 10:
      return put(`CAST(${whole} AS ${dice.pick(oddTypes)})`);
    case 11: {
      const types = places(typeWords);
      if (types.length === 0) return put(odd());
      const { start, end } = dice.pick(types);
      return `${sql.slice(0, start)}${dice.pick(oddTypes)}${sql.slice(end)}`;
    }
    case 12: {
      const tables = places(tableWords);
      const at = tables.length === 0 ? undefined : all[all.indexOf(dice.pick(tables)) + 1];
      if (at === undefined) return `${sql} ${dice.pick(queryEndings)}`;
      const end = at.text === '(' ? (all[closedBy(all, all.indexOf(at)) ?? 0]?.end ?? at.end) : at.end;
      return `${sql.slice(0, end)} ${dice.pick(tableEndings)}${sql.slice(end)}`;
    }
    case 13:
      return `${sql.replace(/[;\s]+$/, '')} ${dice.pick(queryEndings)}`;
    case 14:
      return put('');
    case 15: {
      const other = someSpan(all, dice);
      return put(sql.slice(all[other.first]?.start, all[other.last]?.end));
    }
    case 16: {
      const levels = 1 + dice.below(40);
      return put(
        dice.pick([
          `${'('.repeat(levels)}${whole}${')'.repeat(levels)}`,
          `${'IF(TRUE, '.repeat(levels)}${whole}${', NULL)'.repeat(levels)}`,
          `${'[STRUCT('.repeat(levels)}${whole}${' AS a)]'.repeat(levels)}`,
          `${'(SELECT '.repeat(levels)}${whole}${')'.repeat(levels)}`,
          Array.from({ length: levels }, () => whole).join(dice.pick([', ', ' + ', ' OR ', ' || '])),
        ]),
      );
    }
    default:
      return dice.pick([
        `WITH q AS (${sql}) SELECT * FROM q AS a JOIN q AS b ON a.id = b.id`,
        `WITH RECURSIVE q AS (${sql} UNION ALL SELECT * FROM q) SELECT * FROM q`,
        `SELECT (${sql})`,
        `SELECT ARRAY(${sql})`,
        `SELECT * EXCEPT (id) REPLACE (1 AS s) FROM (${sql})`,
        `SELECT AS STRUCT * FROM (${sql})`,
        `SELECT COUNT(*) FROM nums WHERE id IN (${sql})`,
        `(${sql}) UNION ALL (${sql})`,
      ]);
  }
}
