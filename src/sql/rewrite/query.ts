import { rewriteExpression } from './expression.ts';
import { fromClause } from './pieces/from-clause.ts';
import { isQuery } from './pieces/is-query.ts';
import type { Pieces } from './pieces/pieces.ts';
import { setOperations } from './pieces/set-operation.ts';
import type { Range } from './pieces/source.ts';
import type { Context, RewrittenQuery, Scope } from './pieces/writer.ts';
import { copied, Writer } from './pieces/writer.ts';
import { applyOperator } from './pipe/operators.ts';
import { select } from './pipe/render.ts';
import { settle } from './pipe/settle.ts';
import { isValueTable, type Pipeline, type State, startState } from './pipe/state.ts';

/** Rewrites a query, in pipe syntax or not. */
export function rewriteQuery(context: Context, range: Range, outer: Scope): RewrittenQuery {
  const { source } = context;
  const clause = withClause(context, range, outer);
  const body = { from: clause.end, to: range.to };
  const { scope } = clause;
  const first = source.find(body, (index) => source.isSymbol(index, '|>'));
  if (first === undefined && !source.isWord(body.from, 'FROM')) {
    const pieces = setOperations(context, body, scope) ?? rewriteExpression(context, body, scope);
    return { pieces: [...clause.pieces, ...pieces], isValueTable: isValueQuery(context, body) };
  }
  const query = pipeline(context, body, first ?? body.to, scope);
  return { ...query, pieces: [...clause.pieces, ...query.pieces] };
}

interface WithClause {
  /** Empty if there is none. */
  readonly pieces: Pieces;
  /** The scope of what follows. */
  readonly scope: Scope;
  /** The index after it. */
  readonly end: number;
}

/** Rewrites a WITH clause, if there is one. */
function withClause(context: Context, range: Range, outer: Scope): WithClause {
  const { source } = context;
  if (!source.isWord(range.from, 'WITH')) return { pieces: [], scope: outer, end: range.from };
  const writer = new Writer(source);
  writer.copy(range.from);
  let index = range.from + 1;
  const isRecursive = source.isWord(index, 'RECURSIVE') && !source.isWord(index + 1, 'AS');
  if (isRecursive) writer.copy(index++);
  const own = new Map<string, boolean>();
  const valueTables = { has: (name: string) => own.get(name) ?? outer.valueTables.has(name) };
  let scope: Scope = { ...outer, valueTables };
  for (;;) {
    const open = index + 2;
    const close = source.closer(open);
    if (
      !source.isName(index) ||
      !source.isWord(index + 1, 'AS') ||
      !source.isSymbol(open, '(') ||
      close === undefined
    ) {
      break;
    }
    const name = source.nameOf(index);
    const before = writer.pieces.length;
    // In a recursive clause, entries see each other: a name means no value table before it is known.
    if (isRecursive) own.set(name, false);
    const { pieces, isValueTable } = context.query({ from: open + 1, to: close }, scope);
    for (let at = index; at <= open; at++) writer.copy(at, at === index && before > 1);
    writer.add(pieces);
    writer.copy(close);
    own.set(name, isValueTable);
    const { length } = writer;
    scope = { ...outer, valueTables, withs: [...outer.withs, () => writer.pieces.slice(0, length)] };
    index = close + 1;
    if (!source.isSymbol(index, ',')) break;
    const isLast = source.isSymbol(index + 1, '|>') || source.isSymbol(index + 1, '(');
    if (!isLast) writer.copy(index, true);
    index++;
  }
  return { pieces: writer.pieces, scope, end: index };
}

/** Whether a query in standard syntax, once rewritten, is SELECT AS STRUCT or AS VALUE, or combines such queries. */
function isValueQuery(context: Context, { from, to }: Range): boolean {
  const { source } = context;
  if (source.isSymbol(from, '(')) return context.isValueTable(from + 1);
  if (!source.isWord(from, 'SELECT')) return false;
  let index = from + 1;
  if (source.isWord(index, 'ALL', 'DISTINCT')) index++;
  return index < to && source.isWord(index, 'AS') && source.isWord(index + 1, 'STRUCT', 'VALUE');
}

/** Rewrites a pipeline: what is before the first `|>`, and its operators. */
function pipeline(context: Context, body: Range, first: number, outer: Scope): RewrittenQuery {
  const { source } = context;
  const lastUses = source.lastUses(body);
  let scope = outer;
  let from = first;
  const at = (index: number): Pipeline => {
    const next =
      source.find({ from: index, to: body.to }, (other) => source.isSymbol(other, '|>')) ?? body.to;
    return {
      context,
      scope,
      at: index,
      generate: (text) => context.generated(text, index),
      used: { has: (name) => (lastUses.get(name) ?? -1) >= index },
      usedLater: { has: (name) => (lastUses.get(name) ?? -1) >= next },
    };
  };
  let state = inputState(at(body.from), { from: body.from, to: first });
  const prefix: Pieces[] = [];
  let brackets = 0;
  while (from < body.to) {
    const begin = from + 1;
    const end = source.find({ from: begin, to: body.to }, (index) => source.isSymbol(index, '|>')) ?? body.to;
    const here = at(begin);
    if (source.isWord(begin, 'WITH')) {
      const added = pipeWith(here, state, { from: begin, to: end });
      if (prefix.length > 0) {
        prefix.push([here.generate('(')]);
        brackets++;
      }
      prefix.push(added.pieces);
      ({ state, scope } = added);
    } else {
      state = applyOperator(here, state, { from: begin, to: end });
    }
    context.copy(state.from);
    from = end;
  }
  const last = at(Math.max(body.from, body.to - 1));
  const pieces = [
    ...prefix.flat(),
    ...select(last, state),
    ...(brackets > 0 ? [last.generate(')'.repeat(brackets))] : []),
  ];
  // Another WITH clause must not follow directly.
  const isNested = prefix.length > 0 && scope.withs.length > 0;
  return {
    pieces: isNested ? [last.generate('('), ...pieces, last.generate(')')] : pieces,
    isValueTable: isValueTable(state),
  };
}

/** What is before the first pipe operator: FROM, a query in standard syntax, or one in brackets with an alias. */
function inputState(here: Pipeline, range: Range): State {
  const { context, scope, generate } = here;
  const { source } = context;
  if (source.isWord(range.from, 'FROM')) {
    const { pieces, items, isMerged } = fromClause(context, { from: range.from + 1, to: range.to }, scope);
    return { ...startState, from: pieces, items, isMerged };
  }
  const close = source.closer(range.from);
  if (source.isSymbol(range.from, '(') && close !== undefined) {
    const hasAs = source.isWord(close + 1, 'AS');
    const alias = close + (hasAs ? 2 : 1);
    const isWhole = close + 1 === range.to;
    if (isWhole || (source.isName(alias) && alias + 1 === range.to)) {
      const query = context.query({ from: range.from + 1, to: close }, scope);
      const name = isWhole ? context.newName() : source.nameOf(alias);
      const named: Pieces = isWhole ? [generate(name)] : copied(source, { from: alias, to: alias + 1 });
      return {
        ...startState,
        from: [generate('('), ...query.pieces, generate(') AS'), ...named],
        items: [{ name, isNamed: !isWhole, kind: query.isValueTable ? 'element' : 'table' }],
      };
    }
  }
  if (!isQuery(source, range)) throw source.unexpected(range.from);
  const name = context.newName();
  const pieces = setOperations(context, range, scope) ?? rewriteExpression(context, range, scope);
  return {
    ...startState,
    from: [generate('('), ...pieces, generate(`) AS ${name}`)],
    items: [{ name, isNamed: false, kind: isValueQuery(context, range) ? 'element' : 'table' }],
    isOrderedInput: source.find(range, (index) => source.isWord(index, 'ORDER')) !== undefined,
  };
}

/** WITH as a pipe operator: entries that the rest of the pipeline sees. */
function pipeWith(
  here: Pipeline,
  input: State,
  range: Range,
): { readonly state: State; readonly pieces: Pieces; readonly scope: Scope } {
  const { context, generate, scope } = here;
  const { source } = context;
  const settled = settle(here, input, input.order !== undefined);
  const name = context.newName();
  const clause = withClause(context, range, scope);
  if (clause.end !== range.to) throw source.unexpected(clause.end);
  // The input doesn't see the new entries: it is an entry before them.
  const columns: Pieces = [generate('SELECT * FROM'), ...settled.from];
  const [item] = settled.items;
  const isValue = item?.kind === 'element';
  const body: Pieces = isValue ? [generate(`SELECT AS VALUE ${item.name} FROM`), ...settled.from] : columns;
  const [first, ...rest] = clause.pieces;
  if (first === undefined) throw source.unexpected(range.from);
  const isRecursive = source.isWord(range.from + 1, 'RECURSIVE');
  const entries = clauseEntries(here, range, clause.pieces, isRecursive) ?? rest;
  const pieces: Pieces = [
    generate(`WITH ${isRecursive ? 'RECURSIVE ' : ''}${name} AS (`),
    ...body,
    generate('),'),
    ...entries,
  ];
  return {
    pieces,
    scope: { ...clause.scope, withs: [...scope.withs, () => pieces] },
    state: { ...settled, from: [generate(`${name} AS ${item?.name ?? context.newName()}`)] },
  };
}

/** The entries of a WITH clause without its first words. */
function clauseEntries(
  { context }: Pipeline,
  range: Range,
  pieces: Pieces,
  isRecursive: boolean,
): Pieces | undefined {
  const [first, ...rest] = pieces;
  if (first === undefined || !('start' in first)) return undefined;
  const start = context.source.offset(range.from + (isRecursive ? 2 : 1));
  return first.end <= start ? rest : [{ start, end: first.end }, ...rest];
}
