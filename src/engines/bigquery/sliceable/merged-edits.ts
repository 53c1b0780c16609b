import { type TextRange, textRange } from '../../../sql/plan/parse-tree.ts';
import { type AnyNode, asMessage } from '../../../sql/resolved/node.ts';
import { identifier } from '../../../sql/text/identifier.ts';
import { tokens } from '../../../sql/text/lexer.ts';
import type { TextEdit } from '../text/text-edits.ts';
import { type GroupKey, placed, type SelectItem } from './group-keys.ts';
import { ownParts, type SelectPlace } from './select-place.ts';

/** What takes the place of expressions of a SELECT. */
export interface Replacements {
  readonly keys: readonly { readonly key: GroupKey; readonly sql: string }[];
  /** By the starts of the calls. */
  readonly calls: ReadonlyMap<number, string>;
}

/** The edits of a SELECT that make it one over a relation of parts, besides those of its FROM and WHERE. */
export function mergedEdits(
  sql: string,
  { select, orderBy }: SelectPlace,
  items: readonly SelectItem[],
  { keys, calls }: Replacements,
): readonly TextEdit[] {
  const bytes = Buffer.from(sql);
  const textOf = ({ start, end }: TextRange) => bytes.subarray(start, end).toString();
  const wanted = keys.map(({ key, sql: text }) => ({ words: wordsOf(textOf(key.expression)), sql: text }));
  const longest = Math.max(0, ...keys.map(({ key }) => key.expression.end - key.expression.start));
  const edits: TextEdit[] = [];
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) {
      for (const element of part) visit(element);
      return;
    }
    if (typeof part !== 'object' || part === null) return;
    for (const [field, value] of Object.entries(part as AnyNode)) {
      if (field === 'parent' || field === 'alias') continue;
      if (!visitExpression(field, value)) visit(value);
    }
  };
  /** Whether it was replaced. */
  const visitExpression = (field: string, value: unknown): boolean => {
    const range = field.startsWith('ast_') ? textRange(value) : undefined;
    if (range === undefined) return false;
    const call = field === 'ast_function_call_node' ? calls.get(range.start) : undefined;
    if (call !== undefined) {
      edits.push({ ...range, text: call });
      return true;
    }
    // Comments and spaces may be in one of two equal expressions.
    if (range.end - range.start > 2 * longest + 200) return false;
    const own = wordsOf(textOf(range));
    const isPath = field === 'ast_path_expression_node';
    const found = wanted.find(({ words }) =>
      isPath ? isSamePath(words, own) : words.join(' ') === own.join(' '),
    );
    if (found === undefined) return false;
    const isWhole = ({ expression, isNamed }: SelectItem) =>
      !isNamed && expression.start === range.start && expression.end === range.end;
    const name = items.find(isWhole)?.name;
    const alias = name === undefined ? '' : ` AS ${identifier(name)}`;
    edits.push({ ...range, text: `${found.sql}${alias}` });
    return true;
  };
  visit([ownParts(select), orderBy]);
  return edits;
}

/** The edits that write an average as a sum and a number. */
export function averageEdits(sql: string, parsed: AnyNode, starts: ReadonlySet<number>): readonly TextEdit[] {
  const bytes = Buffer.from(sql);
  const edits: TextEdit[] = [];
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) for (const element of part) visit(element);
    else if (typeof part === 'object' && part !== null)
      for (const [field, value] of Object.entries(part as AnyNode)) {
        if (field === 'parent') continue;
        const range = field === 'ast_function_call_node' ? placed(value) : undefined;
        if (range !== undefined && starts.has(range.start)) {
          const { function: name } = asMessage(value, field);
          const values = bytes.subarray(placed(name).end, range.end).toString();
          edits.push({ ...range, text: `SAFE_DIVIDE(SUM${values}, COUNT${values})` });
        } else visit(value);
      }
  };
  visit(parsed);
  return edits;
}

/** The tokens of an expression. Names are the same in any letter case. */
function wordsOf(text: string): readonly string[] {
  return Array.from(tokens(text), ({ kind, text: token }) =>
    kind === 'literal' ? token : token.toUpperCase(),
  );
}

/** Whether one of two paths is the end of the other one: `n` is `t.n`, unless that can't be resolved. */
function isSamePath(left: readonly string[], right: readonly string[]): boolean {
  const isName = (words: readonly string[]) => words.every((word, i) => (word === '.') === (i % 2 === 1));
  if (!isName(left) || !isName(right)) return false;
  const [short, long] = left.length < right.length ? [left, right] : [right, left];
  return short.every((word, i) => word === long[long.length - short.length + i]);
}
