import { hash } from 'node:crypto';
import type { SqlType } from '../../values/type.ts';
import type { Value } from '../../values/value.ts';

/** An expression of a query, apart from how it is written. */
export interface Term {
  readonly kind: TermKind;
  /**
   * Of a call its function, in lower case, of a cast its type, of a column, field, parameter or keyword its name, of a subquery its label
   * among those of the statement.
   */
  readonly name: string;
  readonly args: readonly Term[];
  /** The same for terms that mean the same in queries whose tables and columns have the same labels. */
  readonly key: string;
  /** Of a constant. */
  readonly constant?: { readonly type: SqlType; readonly value: Value };
  /** Of a column, what it belongs to. */
  readonly of?: string;
  /** Of calls and casts: whether they return NULL in place of an error. */
  readonly isSafe?: boolean;
  /** Of aggregates and window functions, and only of these. */
  readonly modifiers?: Modifiers;
  /** Of a subquery: SCALAR, ARRAY, EXISTS or IN. Of a call: `collated` if texts are compared without regard to letter case. */
  readonly form?: string;
}

type TermKind =
  | 'column'
  | 'constant'
  | 'parameter'
  | 'keyword'
  | 'call'
  | 'cast'
  | 'field'
  | 'struct'
  | 'subquery'
  /** An expression of another kind, which is only compared as a whole. */
  | 'other';

/** What changes how an aggregate or a window function computes its result. */
export interface Modifiers {
  readonly isDistinct: boolean;
  /** `IGNORE NULLS`, or empty. */
  readonly nulls: string;
  /** The order of the values of an aggregate. */
  readonly order: readonly OrderTerm[];
  readonly limit: Term | undefined;
  /** Of HAVING MAX and HAVING MIN. */
  readonly having: { readonly kind: string; readonly by: Term } | undefined;
  readonly over: Window | undefined;
}

/** The rows that a window function sees. */
export interface Window {
  readonly partition: readonly Term[];
  readonly order: readonly OrderTerm[];
  /** As SQL has it, or empty. */
  readonly frame: string;
}

/** A key of an order. */
export interface OrderTerm {
  readonly term: Term;
  readonly isDescending: boolean;
  /** `NULLS FIRST` or `NULLS LAST`, or empty. */
  readonly nulls: string;
}

/** Longer keys are replaced by their digests. */
const longestKey = 160;

/** Makes a term, with its key. */
export function term(parts: Omit<Term, 'key'>): Term {
  return { ...parts, key: keyOf(parts) };
}

function keyOf({
  kind,
  name,
  args,
  constant,
  of = '',
  isSafe = false,
  modifiers,
  form = '',
}: Omit<Term, 'key'>): string {
  const value = constant === undefined ? '' : `${constant.type.kind} ${valueText(constant.value)}`;
  const head = [
    kind,
    of,
    name,
    value,
    isSafe ? 'safe' : '',
    form,
    modifiers === undefined ? '' : modifiersKey(modifiers),
  ];
  const keys = args.map((arg) => arg.key);
  const key = `${head.filter((part) => part !== '').join(' ')}(${inOneOrder(kind === 'call' ? name : '', keys).join()})`;
  return key.length <= longestKey ? key : hash('sha256', key, 'base64url');
}

/** The keys of arguments, in one order where they have none. */
function inOneOrder(called: string, keys: readonly string[]): readonly string[] {
  if (unordered.has(called)) return [...new Set(keys)].sort();
  if (symmetric.has(called)) return keys.toSorted();
  const [first = '', ...values] = keys;
  return called === '$in' ? [first, ...[...new Set(values)].sort()] : keys;
}

const unordered: ReadonlySet<string> = new Set(['$and', '$or']);
const symmetric: ReadonlySet<string> = new Set(['$equal', '$not_equal', '$is_distinct', '$is_not_distinct']);

function valueText(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join()}]`;
  return Object.is(value, -0) ? '-0' : JSON.stringify(String(value));
}

function modifiersKey({ isDistinct, nulls, order, limit, having, over }: Modifiers): string {
  return [
    isDistinct ? 'distinct' : '',
    nulls,
    orderKey(order),
    limit?.key ?? '',
    having === undefined ? '' : `${having.kind} ${having.by.key}`,
    over === undefined
      ? ''
      : `over ${over.partition.map(({ key }) => key).join()} ${orderKey(over.order)} ${over.frame}`,
  ].join(';');
}

/** The key of an order, as that of a term. */
export function orderKey(order: readonly OrderTerm[]): string {
  return order.map((each) => `${each.term.key}${each.isDescending ? ' desc' : ''} ${each.nulls}`).join();
}
