import { identifier } from '../../text/identifier.ts';
import { isSetOperator } from './is-query.ts';
import type { Pieces } from './pieces.ts';
import { separated } from './pieces.ts';
import { selectedNames } from './select-item.ts';
import type { Range, Source } from './source.ts';
import type { Context, Scope } from './writer.ts';
import { copied } from './writer.ts';

type Mode = 'INNER' | 'LEFT' | 'FULL' | 'STRICT';

/** The words between two queries of a set operation. */
export interface SetOperator {
  /** UNION, INTERSECT or EXCEPT, with ALL or DISTINCT. */
  readonly words: Pieces;
  /** The index of the first word, which may be INNER, LEFT or FULL. */
  readonly from: number;
  /** The index after the last word. */
  readonly to: number;
  /** How columns are matched by name. Undefined if they are matched by place. */
  readonly mode: Mode | undefined;
  /** The columns of ON or BY. */
  readonly columns: Range | undefined;
}

/**
 * Reads the words of a set operation.
 *
 * @param index the index of UNION, INTERSECT or EXCEPT
 */
export function readSetOperator(context: Context, index: number): SetOperator {
  const { source } = context;
  let from = index;
  while (source.isWord(from - 1, 'INNER', 'LEFT', 'FULL', 'OUTER')) from--;
  const prefix = from === index ? undefined : source.tokens[from]?.text;
  let to = index + 2;
  const isStrict = source.isWord(to, 'STRICT');
  if (isStrict) to++;
  const isByName = source.areWords(to, 'BY', 'NAME');
  const isCorresponding = source.isWord(to, 'CORRESPONDING');
  const words = copied(source, { from: index, to: index + 2 });
  if (!isByName && !isCorresponding) {
    if (isStrict || prefix !== undefined) throw source.unexpected(isStrict ? to : from);
    return { words, from, to, mode: undefined, columns: undefined };
  }
  to += isByName ? 2 : 1;
  let columns: Range | undefined;
  if (source.isWord(to, isByName ? 'ON' : 'BY')) {
    const close = source.closer(to + 1);
    if (close === undefined) throw source.unexpected(to + 1);
    columns = { from: to + 2, to: close };
    to = close + 1;
  }
  return { words, from, to, mode: modeOf(prefix, isByName || isStrict), columns };
}

function modeOf(prefix: string | undefined, isStrict: boolean): Mode {
  if (prefix === 'OUTER') return 'FULL';
  if (prefix === 'INNER' || prefix === 'LEFT' || prefix === 'FULL') return prefix;
  return isStrict ? 'STRICT' : 'INNER';
}

/** Rewrites a query in standard syntax that consists of set operations by name. Undefined for any other. */
export function setOperations(context: Context, range: Range, scope: Scope): Pieces | undefined {
  const { source } = context;
  const operators: SetOperator[] = [];
  for (const index of source.level(range)) {
    if (isSetOperator(source, index)) operators.push(readSetOperator(context, index));
  }
  if (!operators.some(({ mode }) => mode !== undefined)) return undefined;
  const last = operators.at(-1)?.to ?? range.from;
  const tail =
    source.find({ from: last, to: range.to }, (index) => source.isWord(index, 'ORDER', 'LIMIT')) ?? range.to;
  const starts = [range.from, ...operators.map(({ to }) => to)];
  const inputs = starts.map((from, index) => ({ from, to: operators[index]?.from ?? tail }));
  const combined = combine(
    context,
    operators,
    inputs.map((input) => ({
      pieces: context.expression(input, scope),
      names: selectedNames(source, input),
    })),
    scope,
  );
  return [...combined, ...context.expression({ from: tail, to: range.to }, scope)];
}

/** A query of a set operation. */
export interface SetInput {
  readonly pieces: Pieces;
  /** The names of its columns, if the text shows them. */
  readonly names: readonly string[] | undefined;
}

/**
 * Combines queries. The analyzer knows columns matched by name only without STRICT and without a list of columns.
 *
 * @throws AnalyzerError
 */
export function combine(
  context: Context,
  operators: readonly SetOperator[],
  inputs: readonly SetInput[],
  scope: Scope,
): Pieces {
  const { source } = context;
  const [first] = operators;
  if (first === undefined) return inputs.flatMap(({ pieces }) => pieces);
  const other = operators.find((operator) => !isSame(source, operator, first));
  if (other !== undefined) {
    throw source.error(
      other.from,
      'Different set operations cannot be used in the same query without using parentheses for grouping',
    );
  }
  const generate = (text: string) => ({ text, at: source.offset(first.from) });
  const { mode, columns } = first;
  const isNative = mode === undefined || (mode !== 'STRICT' && columns === undefined);
  const names = isNative ? [] : inputs.map(({ pieces, names }) => names ?? context.columnsOf(pieces, scope));
  if (columns === undefined) {
    for (const [index, list] of names.entries())
      checkNames(source, operators[Math.max(0, index - 1)] ?? first, list);
  }
  if (mode === 'STRICT' && columns === undefined) checkEqual(source, operators, names);
  const wanted = columns === undefined ? undefined : columnList(source, columns);
  if (wanted !== undefined && mode !== undefined) checkColumns(source, first, wanted, mode, names);
  const prefix = mode === 'LEFT' || mode === 'FULL' ? [generate(mode)] : [];
  const words = (operator: SetOperator): Pieces => {
    if (mode === undefined || wanted !== undefined) return operator.words;
    return [...prefix, ...operator.words, generate('CORRESPONDING')];
  };
  return inputs.flatMap(({ pieces }, index): Pieces => {
    const operator = operators[index - 1];
    const before = operator === undefined ? [] : words(operator);
    if (wanted === undefined) return [...before, ...pieces];
    const own = new Set(names[index]?.map((name) => name.toLowerCase()));
    const list = wanted.map(({ name, text }) => [generate(own.has(name) ? text : `NULL AS ${text}`)]);
    return [
      ...before,
      generate('(SELECT'),
      ...separated(list, generate(',')),
      generate('FROM ('),
      ...pieces,
      generate('))'),
    ];
  });
}

function isSame(source: Source, a: SetOperator, b: SetOperator): boolean {
  const text = ({ words, mode, columns }: SetOperator) => [
    ...words.map((piece) =>
      'start' in piece ? source.text.slice(piece.start, piece.end).toUpperCase() : piece.text,
    ),
    mode,
    ...(columns === undefined ? [] : columnList(source, columns).map(({ name }) => name)),
  ];
  return JSON.stringify(text(a)) === JSON.stringify(text(b));
}

function columnList(
  source: Source,
  range: Range,
): { readonly name: string; readonly text: string; readonly at: number }[] {
  return source.items(range).map(({ from, to }) => {
    const { kind } = source.tokens[from] ?? {};
    if (to !== from + 1 || (kind !== 'word' && kind !== 'name')) throw source.unexpected(from);
    const name = source.nameOf(from);
    const text =
      kind === 'name'
        ? source.tokens[from]?.text
        : identifier(source.text.slice(source.tokens[from]?.start, source.tokens[from]?.end));
    return { name, text: text ?? '', at: from };
  });
}

function checkNames(source: Source, { from }: SetOperator, names: readonly string[]): void {
  const lower = names.map((name) => name.toLowerCase());
  if (lower.includes(''))
    throw source.error(from, 'A set operation by name cannot have columns without a name');
  const repeated = firstRepeated(lower, (name) => name);
  if (repeated !== undefined)
    throw source.error(from, `A set operation by name cannot have two columns ${repeated}`);
}

function firstRepeated<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item | undefined {
  const seen = new Set<string>();
  return items.find((item) => seen.size === seen.add(nameOf(item)).size);
}

function firstBeyond(names: ReadonlySet<string>, others: ReadonlySet<string>): string | undefined {
  return names.values().find((name) => !others.has(name));
}

function checkEqual(
  source: Source,
  operators: readonly SetOperator[],
  names: readonly (readonly string[])[],
): void {
  const [first = new Set<string>(), ...others] = names.map(
    (list) => new Set(list.map((name) => name.toLowerCase())),
  );
  for (const [index, list] of others.entries()) {
    const missing = firstBeyond(first, list) ?? firstBeyond(list, first);
    if (missing === undefined) continue;
    const at = operators[index]?.from ?? 0;
    throw source.error(
      at,
      `The column ${missing} is not in all queries of this set operation; write INNER, LEFT or FULL before it`,
    );
  }
}

function checkColumns(
  source: Source,
  { from }: SetOperator,
  wanted: ReturnType<typeof columnList>,
  mode: Mode,
  names: readonly (readonly string[])[],
): void {
  const sets = names.map((list) => new Set(list.map((name) => name.toLowerCase())));
  const repeated = firstRepeated(wanted, ({ name }) => name);
  if (repeated !== undefined) throw source.error(repeated.at, `The column ${repeated.name} is listed twice`);
  for (const { name, at } of wanted) {
    const isFound =
      mode === 'FULL'
        ? sets.some((set) => set.has(name))
        : mode === 'LEFT'
          ? sets[0]?.has(name) === true
          : sets.every((set) => set.has(name));
    if (!isFound) throw source.error(at, `The column ${name} is not in the queries of this set operation`);
  }
  if (mode === 'LEFT' || mode === 'FULL') {
    const lost = sets.findIndex((set) => mode === 'LEFT' && !wanted.some(({ name }) => set.has(name)));
    if (lost >= 0) throw source.error(from, 'The queries of this set operation have no column in common');
  }
  if (mode === 'STRICT' && names.some((list) => list.length !== wanted.length)) {
    throw source.error(
      from,
      'A set operation of queries with columns beyond its list is not supported without INNER, LEFT or FULL',
    );
  }
}
