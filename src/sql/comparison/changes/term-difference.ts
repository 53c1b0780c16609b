import { orderKey, type Term } from '../terms/term.ts';
import { type TextStyle, termText } from '../terms/term-text.ts';

/** Longer terms are shown by the part in which they differ. */
const longestWhole = 80;

/** How a term differs from the one before, in words. */
export function differenceText(before: Term, after: Term, style: TextStyle): string {
  const [old, now] = smallestDifference(before, after);
  const whole = `\`${termText(before, style)}\` → \`${termText(after, style)}\``;
  const note = noteOf(old, now);
  const isWhole = whole.length <= 2 * longestWhole || old === before;
  const text = isWhole
    ? whole
    : `\`${termText(old, style)}\` → \`${termText(now, style)}\` in \`${termText(after, { ...style, length: longestWhole })}\``;
  return note === '' ? text : `${text} (${note})`;
}

/** The smallest parts that differ: all around them is the same. */
function smallestDifference(before: Term, after: Term): readonly [Term, Term] {
  if (!isSameOutside(before, after)) return [before, after];
  const differing = before.args.flatMap((arg, index) => {
    const other = after.args[index];
    return other === undefined || other.key === arg.key ? [] : [[arg, other] as const];
  });
  const [only] = differing;
  return differing.length === 1 && only !== undefined ? smallestDifference(...only) : [before, after];
}

/** Whether two terms differ in their arguments only. */
function isSameOutside(one: Term, other: Term): boolean {
  return (
    one.kind === other.kind &&
    one.name === other.name &&
    one.of === other.of &&
    one.form === other.form &&
    (one.isSafe === true) === (other.isSafe === true) &&
    one.args.length === other.args.length &&
    one.args.length > 0 &&
    haveSameModifiers(one, other)
  );
}

function haveSameModifiers({ modifiers: one }: Term, { modifiers: other }: Term): boolean {
  return (
    one?.isDistinct === other?.isDistinct &&
    one?.nulls === other?.nulls &&
    one?.limit?.key === other?.limit?.key &&
    one?.having?.by.key === other?.having?.by.key &&
    orderKey(one?.order ?? []) === orderKey(other?.order ?? []) &&
    windowKey(one?.over) === windowKey(other?.over)
  );
}

function windowKey(over: NonNullable<Term['modifiers']>['over']): string {
  if (over === undefined) return '';
  return `${over.partition.map(({ key }) => key).join()};${orderKey(over.order)};${over.frame}`;
}

/** What a change means, where that isn't obvious from the SQL. Empty if it is. */
function noteOf(before: Term, after: Term): string {
  const isDistinct = (term: Term) => term.modifiers?.isDistinct === true;
  if (isCount(before) && isCount(after) && isDistinct(before) !== isDistinct(after))
    return isDistinct(after)
      ? 'different values are counted, each once'
      : 'equal values are counted each time';
  if (isCount(before) && isCount(after) && before.name !== after.name)
    return after.name === 'count'
      ? 'rows with NULL are no longer counted'
      : 'rows with NULL are counted, too';
  if (
    before.kind === after.kind &&
    before.name === after.name &&
    (before.isSafe === true) !== (after.isSafe === true)
  )
    return after.isSafe === true ? 'NULL in place of an error' : 'an error in place of NULL';
  return '';
}

function isCount({ kind, name }: Term): boolean {
  return kind === 'call' && (name === 'count' || name === '$count_star');
}
