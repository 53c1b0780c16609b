import { contentsOf, isAggregate } from './pieces/calls.ts';
import { type Pieces, separated } from './pieces/pieces.ts';
import type { Range, Source } from './pieces/source.ts';
import { type Context, copied, Writer } from './pieces/writer.ts';

/** A call of an aggregate function. */
interface Call {
  /** Its name. */
  readonly callee: Pieces;
  /** The index of the bracket with its arguments. */
  readonly open: number;
}

/** How an expression is written where it stands. */
type Write = (range: Range) => Pieces;

/** Whether the bracket of a call has WHERE or GROUP BY, which the analyzer doesn't know there. */
export function isModified(source: Source, range: Range): boolean {
  return source.find(range, (index) => isModifier(source, index)) !== undefined;
}

function isModifier(source: Source, index: number): boolean {
  return source.isWord(index, 'WHERE') || source.areWords(index, 'GROUP', 'BY');
}

/**
 * Writes `SUM(MAX(v) GROUP BY k)` and `SUM(v WHERE c)` as a subquery of the group's rows: an aggregate of aggregates is
 * `WITH(rows AS ARRAY_AGG(STRUCT(v, k)), (SELECT SUM(m) FROM (SELECT MAX(e.v) AS m FROM UNNEST(rows) AS e GROUP BY e.k)))`.
 * Names that are neither aggregated nor keys stay: the analyzer takes keys of the query around for constants and refuses
 * others.
 *
 * @param write writes expressions of the rows that are aggregated
 * @throws AnalyzerError for modifiers that can't stand together
 */
export function modifiedAggregate(context: Context, call: Call, write: Write): Pieces {
  const { source } = context;
  const close = source.closer(call.open) ?? call.open;
  const parts = partsOf(source, { from: call.open + 1, to: close });
  const modifier = parts.where ?? parts.group;
  if (modifier === undefined) return aggregateCall(context, call, parts, write);
  if (!isAggregate(source, call.open - 1)) throw source.unexpected(modifier.at);
  if (source.isWord(close + 1, 'OVER'))
    throw source.error(modifier.at, 'WHERE and GROUP BY in a window function are not supported');
  const generate = (text: string) => context.generated(text, call.open);
  const rows = new Rows(context, write, call.open);
  const keep = parts.where === undefined ? undefined : write(parts.where.range);
  const [array, table] = [context.newName(), context.newName()];
  let body: Pieces;
  let from: Pieces;
  if (parts.group === undefined) {
    body = aggregateCall(context, call, parts, rows.write);
    from = [generate(`UNNEST(${array}) AS ${rows.name}`)];
  } else {
    const groups = new Groups(context, rows, source.items(parts.group.range), table);
    body = aggregateCall(context, call, parts, (range) => groups.write(range, 'outside'));
    from = [generate('('), ...groups.query(array, parts.groupHaving), generate(`) AS ${table}`)];
  }
  const struct = rows.struct();
  const elements =
    keep === undefined
      ? struct
      : [generate('IF('), ...keep, generate(','), ...struct, generate(', NULL) IGNORE NULLS')];
  return [
    generate(`(WITH(${array} AS ARRAY_AGG(`),
    ...elements,
    generate('), (SELECT'),
    ...body,
    generate('FROM'),
    ...from,
    generate(')))'),
  ];
}

interface Clause {
  /** The index of its first word. */
  readonly at: number;
  readonly range: Range;
}

/** The parts of a call's bracket. */
interface Parts {
  readonly distinct: number | undefined;
  readonly args: Range;
  readonly nulls: Range | undefined;
  readonly where: Clause | undefined;
  /** `MAX x` or `MIN x`. */
  readonly having: Clause | undefined;
  readonly group: Clause | undefined;
  readonly groupHaving: Range | undefined;
  readonly order: Clause | undefined;
  readonly limit: Clause | undefined;
}

const clauseStarts = ['IGNORE', 'RESPECT', 'WHERE', 'HAVING', 'GROUP', 'ORDER', 'LIMIT'] as const;

/** @throws AnalyzerError for clauses in another order, or twice */
function partsOf(source: Source, range: Range): Parts {
  const starts = [...source.level(range)].filter((index) => source.isWord(index, ...clauseStarts));
  const found = new Map<string, Clause>();
  let last = -1;
  for (const [i, at] of starts.entries()) {
    const word = source.tokens[at]?.text ?? '';
    const name =
      word === 'RESPECT' ? 'IGNORE' : word === 'HAVING' && found.has('GROUP') ? 'GROUP HAVING' : word;
    const place = ['IGNORE', 'WHERE', 'HAVING', 'GROUP', 'GROUP HAVING', 'ORDER', 'LIMIT'].indexOf(name);
    if (place <= last || (name === 'GROUP' && found.has('HAVING'))) throw source.unexpected(at);
    last = place;
    const words = name === 'GROUP' || name === 'ORDER' ? 2 : 1;
    found.set(name, { at, range: { from: at + words, to: starts[i + 1] ?? range.to } });
  }
  const isDistinct = source.isWord(range.from, 'DISTINCT');
  const nulls = found.get('IGNORE');
  return {
    distinct: isDistinct ? range.from : undefined,
    args: { from: range.from + (isDistinct ? 1 : 0), to: starts[0] ?? range.to },
    nulls: nulls && { from: nulls.at, to: nulls.range.to },
    where: found.get('WHERE'),
    having: found.get('HAVING'),
    group: found.get('GROUP'),
    groupHaving: found.get('GROUP HAVING')?.range,
    order: found.get('ORDER'),
    limit: found.get('LIMIT'),
  };
}

/** The call without WHERE and GROUP BY. */
function aggregateCall(context: Context, call: Call, parts: Parts, write: Write): Pieces {
  const { source } = context;
  const writer = new Writer(source);
  writer.add(call.callee);
  writer.copy(call.open, true);
  if (parts.distinct !== undefined) writer.copy(parts.distinct);
  if (parts.args.from < parts.args.to) {
    const args = source.items(parts.args).map((item): Pieces => argument(source, item, write));
    writer.add(separated(args, { text: ',', at: source.offset(call.open) }));
  }
  if (parts.nulls !== undefined) writer.add(copied(source, parts.nulls));
  if (parts.having !== undefined) {
    const { at, range } = parts.having;
    writer.add(copied(source, { from: at, to: range.from + 1 }));
    writer.add(write({ from: range.from + 1, to: range.to }));
  }
  if (parts.order !== undefined) {
    const { at, range } = parts.order;
    writer.add(copied(source, { from: at, to: range.from }));
    const keys = source.items(range).map((item): Pieces => {
      const end =
        source.find(item, (index) => source.isWord(index, 'ASC', 'DESC', 'NULLS', 'COLLATE')) ?? item.to;
      return [...write({ from: item.from, to: end }), ...copied(source, { from: end, to: item.to })];
    });
    writer.add(separated(keys, { text: ',', at: source.offset(at) }));
  }
  if (parts.limit !== undefined)
    writer.add(copied(source, { from: parts.limit.at, to: parts.limit.range.to }));
  writer.add([{ text: ')', at: source.offset(source.closer(call.open) ?? call.open) }]);
  return writer.pieces;
}

/** An argument, which may have a name: `name => value`. */
function argument(source: Source, item: Range, write: Write): Pieces {
  if (source.isSymbol(item.from, '*') && item.to === item.from + 1) return copied(source, item);
  const value = source.isSymbol(item.from + 1, '=>') ? item.from + 2 : item.from;
  return [...copied(source, { from: item.from, to: value }), ...write({ from: value, to: item.to })];
}

/** The rows of a group as an array: their fields are the expressions that an aggregate needs. */
class Rows {
  readonly name: string;
  readonly #context: Context;
  readonly #write: Write;
  readonly #at: number;
  readonly #fields = new Map<string, { readonly name: string; readonly pieces: Pieces }>();

  constructor(context: Context, write: Write, at: number) {
    this.#context = context;
    this.#write = write;
    this.#at = at;
    this.name = context.newName();
  }

  /** An expression of the rows: a field, or the expression itself if it has no column. */
  readonly write = (range: Range): Pieces => {
    const { mayHaveColumn, hasSubquery } = contentsOf(this.#context.source, range);
    return mayHaveColumn || hasSubquery ? this.field(range) : this.#write(range);
  };

  /** Equal texts are one field, as DISTINCT requires of its order. */
  field(range: Range): Pieces {
    const { source } = this.#context;
    const text = source.text.slice(source.offset(range.from), source.tokens[range.to - 1]?.end);
    let field = this.#fields.get(text);
    if (field === undefined) {
      field = { name: this.#context.newName(), pieces: this.#write(range) };
      this.#fields.set(text, field);
    }
    return [this.#context.generated(`${this.name}.${field.name}`, range.from)];
  }

  struct(): Pieces {
    const generate = (text: string) => this.#context.generated(text, this.#at);
    const fields = [...this.#fields.values()].map(
      ({ name, pieces }): Pieces => [...pieces, generate(`AS ${name}`)],
    );
    if (fields.length === 0) return [generate('STRUCT(1)')];
    return [generate('STRUCT('), ...separated(fields, generate(',')), generate(')')];
  }
}

interface Key {
  readonly range: Range;
  /** Of the rows. */
  readonly field: Pieces;
  readonly name: string;
}

/** How many keys GROUP BY within an aggregate can have: each token of its arguments is compared with each. */
const maxKeys = 100;

/** The groups of rows within a group: their keys, and the aggregates of each. */
class Groups {
  readonly #context: Context;
  readonly #rows: Rows;
  readonly #keys: readonly Key[];
  readonly #table: string;
  readonly #measures = new Map<string, { readonly name: string; readonly pieces: Pieces }>();

  constructor(context: Context, rows: Rows, keys: readonly Range[], table: string) {
    this.#context = context;
    this.#rows = rows;
    this.#table = table;
    const [first] = keys.slice(maxKeys);
    if (first !== undefined)
      throw context.source.error(
        first.from,
        `More than ${maxKeys} keys within an aggregate are not supported`,
      );
    this.#keys = keys.map((range) => {
      if (range.from >= range.to) throw context.source.unexpected(range.from);
      if (context.source.isWord(range.from, 'ROLLUP', 'CUBE', 'GROUPING', 'ALL'))
        throw context.source.unexpected(range.from);
      return { range, field: rows.field(range), name: context.newName() };
    });
  }

  /** An expression of aggregates and keys, outside of the groups' query or within it. */
  write(range: Range, place: 'outside' | 'within'): Pieces {
    const { source } = this.#context;
    const writer = new Writer(source);
    let index = range.from;
    while (index < range.to) {
      const key = this.#keyAt(index, range);
      const call = callAt(source, index);
      if (key !== undefined) {
        writer.add(place === 'within' ? key.field : [this.#column(key.name, index)]);
        index += key.range.to - key.range.from;
      } else if (call !== undefined) {
        writer.add(this.#measure(call, place));
        index = source.after(call.open);
      } else writer.copy(index++);
    }
    return writer.pieces;
  }

  query(array: string, having: Range | undefined): Pieces {
    const [first] = this.#keys;
    const generate = (text: string) => this.#context.generated(text, first?.range.from ?? 0);
    const condition = having === undefined ? [] : [generate('HAVING'), ...this.write(having, 'within')];
    const columns = [
      ...this.#keys.map(({ field, name }): Pieces => [...field, generate(`AS ${name}`)]),
      ...[...this.#measures.values()].map(({ pieces, name }): Pieces => [...pieces, generate(`AS ${name}`)]),
    ];
    const keys = this.#keys.map(({ field }) => field);
    return [
      generate('SELECT'),
      ...separated(columns, generate(',')),
      generate(`FROM UNNEST(${array}) AS ${this.#rows.name} GROUP BY`),
      ...separated(keys, generate(',')),
      ...condition,
    ];
  }

  #column(name: string, index: number): Pieces[number] {
    return this.#context.generated(`${this.#table}.${name}`, index);
  }

  #measure(call: Range & Call, place: 'outside' | 'within'): Pieces {
    const { source } = this.#context;
    const pieces = modifiedAggregate(this.#context, call, this.#rows.write);
    if (place === 'within') return pieces;
    const text = source.text.slice(source.offset(call.from), source.tokens[call.to - 1]?.end);
    const measure = this.#measures.get(text) ?? { name: this.#context.newName(), pieces };
    this.#measures.set(text, measure);
    return [this.#column(measure.name, call.from)];
  }

  /** The key whose text stands at a token. One of several operands is a key only as a whole. */
  #keyAt(index: number, within: Range): Key | undefined {
    const { source } = this.#context;
    if (source.isSymbol(index - 1, '.')) return undefined;
    return this.#keys.find(({ range }) => {
      const length = range.to - range.from;
      const isWhole = index === within.from && index + length === within.to;
      if (index + length > within.to || source.isSymbol(index + length, '(')) return false;
      if (!isWhole && !isOperand(source, range)) return false;
      for (let i = 0; i < length; i++) if (!isSame(source, index + i, range.from + i)) return false;
      return true;
    });
  }
}

/** Whether an expression is a path or a call. */
function isOperand(source: Source, { from, to }: Range): boolean {
  const end = pathEnd(source, from);
  return end === to || (source.isSymbol(end, '(') && source.after(end) === to);
}

/** The index after a path. The same index if there is none. */
function pathEnd(source: Source, from: number): number {
  if (!source.isName(from)) return from;
  let end = from + 1;
  while (source.isSymbol(end, '.') && /^(?:word|name)$/.test(source.tokens[end + 1]?.kind ?? '')) end += 2;
  return end;
}

function isSame(source: Source, a: number, b: number): boolean {
  const [first, second] = [source.tokens[a], source.tokens[b]];
  if (first === undefined || second === undefined) return false;
  const isNamed = (kind: string) => kind === 'word' || kind === 'name';
  if (isNamed(first.kind) && isNamed(second.kind)) return source.nameOf(a) === source.nameOf(b);
  return first.kind === second.kind && first.text === second.text;
}

/** The call of an aggregate function that begins at a token and isn't a window function. */
function callAt(source: Source, index: number): (Range & Call) | undefined {
  const open = pathEnd(source, index);
  if (source.isSymbol(index - 1, '.') || open === index || !source.isSymbol(open, '(')) return undefined;
  const end = source.after(open);
  if (!isAggregate(source, open - 1) || source.isWord(end, 'OVER')) return undefined;
  return { from: index, to: end, callee: copied(source, { from: index, to: open }), open };
}
