import { type Constraint, constraintOf } from '../conditions/constraint.ts';
import { implies } from '../conditions/implies.ts';
import type { Term } from '../terms/term.ts';
import { type TextStyle, termText } from '../terms/term-text.ts';
import type { Aspect, ChangeKind, Extent, QueryChange } from './query-change.ts';

/** What conditions are called. */
const nouns = { filter: 'filter', having: 'condition on groups', qualify: 'condition on windows' } as const;

/** More conditions than this aren't compared each with each. */
const maxConditions = 300;

/**
 * Compares conditions that AND joins, as sets.
 *
 * @param nounOf what a condition is called. Undefined for one that is not told of, because what it belongs to is
 * @returns the changes, and whether they let more or fewer rows pass
 */
export function compareConditions(
  before: readonly Term[],
  after: readonly Term[],
  aspect: keyof typeof nouns & Aspect,
  where: string,
  style: TextStyle,
  nounOf: (condition: Term) => string | undefined = () => nouns[aspect],
): { readonly changes: readonly QueryChange[]; readonly extent: Extent } {
  const removed = without(before, after);
  const added = without(after, before);
  if (removed.length === 0 && added.length === 0) return { changes: [], extent: 'same' };
  const extent = extentOf({ before, after, removed, added });
  const shown = (condition: Term) => `\`${termText(condition, style)}\``;
  const changes: QueryChange[] = [];
  const add = (condition: Term, kind: ChangeKind, text: string) => {
    const noun = nounOf(condition);
    if (noun !== undefined) changes.push({ aspect, kind, where, text: `${noun} ${text}` });
  };
  const left = new Set(added);
  for (const condition of removed) {
    const partner = partnerOf(condition, left);
    if (partner === undefined) {
      const isImplied = after.some((each) => implies(each, condition));
      const [kind, note] = isImplied
        ? (['rewritten', ', which the others imply'] as const)
        : (['removed', ''] as const);
      add(condition, kind, `${shown(condition)} dropped${note}`);
      continue;
    }
    left.delete(partner);
    const [isNarrower, isWider] = [implies(partner, condition), implies(condition, partner)];
    const pair = `${shown(condition)} → ${shown(partner)}`;
    if (isNarrower && isWider) add(partner, 'rewritten', `written in another way: ${pair}`);
    else if (isNarrower) add(partner, 'narrower', `narrower: ${pair}`);
    else if (isWider) add(partner, 'wider', `wider: ${pair}`);
    else add(partner, 'changed', `changed: ${pair}`);
  }
  for (const condition of left) {
    const isImplied = before.some((each) => implies(each, condition));
    add(
      condition,
      isImplied ? 'rewritten' : 'added',
      `${shown(condition)} added${isImplied ? ', which the others imply' : ''}`,
    );
  }
  return { changes, extent };
}

/** The conditions that another list doesn't have. */
function without(conditions: readonly Term[], others: readonly Term[]): Term[] {
  const keys = new Set(others.map(({ key }) => key));
  const seen = new Set<string>();
  return conditions.filter(({ key }) => !keys.has(key) && seen.size < seen.add(key).size);
}

function extentOf({
  before,
  after,
  removed,
  added,
}: Readonly<Record<'before' | 'after' | 'removed' | 'added', readonly Term[]>>): Extent {
  if (before.length > maxConditions || after.length > maxConditions) return 'unknown';
  const isNarrower = removed.every((condition) => after.some((each) => implies(each, condition)));
  const isWider = added.every((condition) => before.some((each) => implies(each, condition)));
  if (isNarrower && isWider) return 'same';
  if (isNarrower) return 'narrower';
  return isWider ? 'wider' : 'unknown';
}

/** The added condition that stands in place of a removed one: about the same values, or one that implies or is implied by it. */
function partnerOf(condition: Term, added: ReadonlySet<Term>): Term | undefined {
  const others = [...added].slice(0, maxConditions);
  const own = constraintOf(condition);
  return (
    others.find((each) => implies(each, condition) || implies(condition, each)) ??
    others.find((each) => {
      const constraint = constraintOf(each);
      return isSameSubject(constraint, own) && sideOf(constraint?.kind ?? '') === sideOf(own?.kind ?? '');
    }) ??
    others.find((each) => isSameSubject(constraintOf(each), own)) ??
    others.find((each) =>
      own === undefined ? isAlike(each, condition) : isSameCall(constraintOf(each), own),
    )
  );
}

function isSameSubject(one: Constraint | undefined, other: Constraint | undefined): boolean {
  return one !== undefined && one.subject.key === other?.subject.key;
}

/** Whether two conditions are about results of the same function. */
function isSameCall(one: Constraint | undefined, { subject }: Constraint): boolean {
  return subject.kind === 'call' && one?.subject.kind === 'call' && one.subject.name === subject.name;
}

/** Whether a condition is about one end of a range. */
function sideOf(kind: string): string {
  return kind === 'least' || kind === 'most' ? kind : '';
}

/** Whether two conditions are the same operator, about the same thing. */
function isAlike(one: Term, other: Term): boolean {
  if (one.kind !== other.kind || one.name !== other.name || one.args.length !== other.args.length)
    return false;
  const keys = new Set(other.args.map(({ key }) => key));
  return one.args.some(({ key, kind }) => kind !== 'constant' && keys.has(key));
}
