import { reserved } from '../../text/identifier.ts';
import { isQuery } from './is-query.ts';
import type { Pieces } from './pieces.ts';
import type { Range } from './source.ts';
import type { Context, Scope } from './writer.ts';
import { Writer } from './writer.ts';

/** A part of a FROM clause. */
export interface FromItem {
  /** Its alias, in lower case. */
  readonly name: string;
  /** Whether the text gives it a name. Otherwise the rewriting did. */
  readonly isNamed: boolean;
  /**
   * A table has columns; an element is one value per row, whose fields are visible; an offset is a number. A path with a
   * dot that isn't a table of the catalog may be an array.
   */
  readonly kind: 'table' | 'element' | 'offset' | 'unknown';
}

/** A FROM clause without its first word. */
export interface FromClause {
  readonly pieces: Pieces;
  readonly items: readonly FromItem[];
  /** Whether a join merges columns: USING or NATURAL. */
  readonly isMerged: boolean;
}

/**
 * Parses and rewrites a FROM clause, or joins that continue one.
 *
 * @param before the clause that it continues
 * @throws AnalyzerError
 */
export function fromClause(context: Context, range: Range, scope: Scope, before?: FromClause): FromClause {
  const parser = new FromParser(context, scope, before);
  if (before === undefined) parser.item(range.from, range.to);
  else parser.index = range.from;
  parser.joins(range.to);
  return parser.clause;
}

class FromParser {
  readonly #context: Context;
  readonly #scope: Scope;
  readonly #writer: Writer;
  readonly #items: FromItem[];
  #isMerged: boolean;
  index = 0;

  constructor(context: Context, scope: Scope, before?: FromClause) {
    this.#context = context;
    this.#scope = scope;
    this.#writer = new Writer(context.source);
    this.#writer.add(before?.pieces ?? []);
    this.#items = [...(before?.items ?? [])];
    this.#isMerged = before?.isMerged === true;
  }

  get clause(): FromClause {
    return { pieces: this.#writer.pieces, items: this.#items, isMerged: this.#isMerged };
  }

  joins(to: number): void {
    const { source } = this.#context;
    while (this.index < to) {
      const begin = this.index;
      if (source.isSymbol(begin, ',')) {
        // A comma joins like CROSS JOIN, but not before RIGHT JOIN and FULL JOIN.
        this.#writer.generate('CROSS JOIN', begin);
        this.item(begin + 1, to);
        continue;
      }
      const end = joinEnd(this.#context, begin);
      if (end === undefined || end > to) throw source.unexpected(begin);
      for (let index = begin; index < end; index++) this.#writer.copy(index);
      if (source.isWord(begin, 'NATURAL')) this.#isMerged = true;
      this.item(end, to);
      this.#conditions(to);
    }
  }

  /** ON and USING. */
  #conditions(to: number): void {
    const { source } = this.#context;
    while (this.index < to && source.isWord(this.index, 'ON', 'USING')) {
      const begin = this.index;
      if (source.isWord(begin, 'USING')) {
        this.#isMerged = true;
        this.index = source.after(begin + 1);
        for (let index = begin; index < this.index; index++) this.#writer.copy(index);
        continue;
      }
      const end = source.find(
        { from: begin + 1, to },
        (index) =>
          source.isSymbol(index, ',') ||
          source.isWord(index, 'ON', 'USING') ||
          joinEnd(this.#context, index) !== undefined,
      );
      this.index = end ?? to;
      this.#writer.copy(begin);
      this.#writer.add(this.#context.expression({ from: begin + 1, to: this.index }, this.#expressions));
    }
  }

  get #expressions(): Scope {
    return { ...this.#scope, isInExpression: true };
  }

  /** A table, a subquery, an array or joins in brackets, with its alias. */
  item(from: number, to: number): void {
    const { source } = this.#context;
    const close = source.closer(from);
    const inner = { from: from + 1, to: close ?? from };
    if (source.isSymbol(from, '(') && close !== undefined && !isQuery(source, inner)) {
      const joins = fromClause(this.#context, inner, this.#scope);
      this.#writer.copy(from, true);
      this.#writer.add(joins.pieces);
      this.#writer.copy(close);
      this.#items.push(...joins.items);
      this.#isMerged ||= joins.isMerged;
      this.index = close + 1;
      return;
    }
    let kind = this.#primary(from, to);
    let name = this.#alias() ?? this.#nameOf(from, this.index, kind);
    while (this.index < to && source.isWord(this.index, 'PIVOT', 'UNPIVOT', 'TABLESAMPLE', 'FOR')) {
      if (!source.isWord(this.index, 'TABLESAMPLE', 'FOR')) {
        name = undefined;
        kind = 'table';
      }
      this.#modifier(to);
      name = this.#alias() ?? name;
    }
    if (name === undefined && kind !== 'unknown') {
      const generated = this.#context.newName();
      this.#writer.generate(`AS ${generated}`, this.index - 1);
      this.#items.push({ name: generated, isNamed: false, kind });
    } else this.#items.push({ name: name ?? '', isNamed: true, kind });
    this.#offset();
  }

  #primary(from: number, to: number): FromItem['kind'] {
    const { source } = this.#context;
    const close = source.closer(from);
    if (source.isSymbol(from, '(') && close !== undefined) {
      const query = this.#context.query({ from: from + 1, to: close }, this.#scope);
      this.#writer.copy(from, true);
      this.#writer.add(query.pieces);
      this.#writer.copy(close);
      this.index = close + 1;
      return query.isValueTable ? 'element' : 'table';
    }
    if (source.isWord(from, 'UNNEST') && source.isSymbol(from + 1, '(')) {
      this.index = source.after(from + 1);
      this.#writer.add(this.#context.expression({ from, to: this.index }, this.#expressions));
      return 'element';
    }
    return this.#path(from, to);
  }

  #path(from: number, to: number): FromItem['kind'] {
    const { source } = this.#context;
    const { kind, text } = source.tokens[from] ?? {};
    if (from >= to || (kind !== 'name' && kind !== 'word')) throw source.unexpected(from);
    if (kind === 'word' && reserved.has(text ?? '')) throw source.unexpected(from);
    const names = [source.nameOf(from)];
    let index = from + 1;
    while (index < to) {
      if (source.isSymbol(index, '.')) names.push(source.nameOf(index + 1));
      // A dash within a name stands without spaces.
      else if (!source.isSymbol(index, '-') || !this.#isTight(index)) break;
      index += 2;
    }
    this.index = Math.min(index, to);
    for (index = from; index < this.index; index++) this.#writer.copy(index);
    const path = names.join('.');
    const [first = ''] = names;
    if (source.isSymbol(this.index, '(')) {
      if (!this.#context.isTable(path)) throw source.error(from, 'Table-valued functions are not supported');
      const begin = this.index;
      this.index = source.after(begin);
      this.#writer.add(this.#context.expression({ from: begin, to: this.index }, this.#expressions));
      return 'table';
    }
    if (names.length === 1) return this.#scope.valueTables.has(path) ? 'element' : 'table';
    if (this.#items.some(({ name }) => name === first)) return 'element';
    return this.#context.isTable(path) ? 'table' : 'unknown';
  }

  #isTight(index: number): boolean {
    const { source } = this.#context;
    return (
      source.tokens[index - 1]?.end === source.tokens[index]?.start &&
      source.tokens[index]?.end === source.tokens[index + 1]?.start
    );
  }

  #nameOf(from: number, to: number, kind: FromItem['kind']): string | undefined {
    const { source } = this.#context;
    if (source.isSymbol(from, '(') || source.isWord(from, 'UNNEST')) return undefined;
    const call = source.find({ from, to }, (index) => source.isSymbol(index, '('));
    if (call !== undefined) return source.nameOf(call - 1);
    if (kind === 'table' && to === from + 1) return source.nameOf(from).split('.').at(-1);
    return source.nameOf(to - 1);
  }

  #alias(): string | undefined {
    const { source } = this.#context;
    const hasAs = source.isWord(this.index, 'AS');
    const at = hasAs ? this.index + 1 : this.index;
    const isModifier = source.isWord(at, 'PIVOT', 'UNPIVOT') && !hasAs;
    if (!source.isName(at) || (isModifier && source.isSymbol(at + 1, '('))) return undefined;
    if (hasAs) this.#writer.copy(this.index);
    this.#writer.copy(at);
    this.index = at + 1;
    return source.nameOf(at);
  }

  /** WITH OFFSET and its alias. */
  #offset(): void {
    const { source } = this.#context;
    if (!source.areWords(this.index, 'WITH', 'OFFSET')) return;
    this.#writer.copy(this.index);
    this.#writer.copy(this.index + 1);
    this.index += 2;
    this.#items.push({ name: this.#alias() ?? 'offset', isNamed: true, kind: 'offset' });
  }

  /** PIVOT, UNPIVOT, TABLESAMPLE or FOR SYSTEM_TIME, without an alias. */
  #modifier(to: number): void {
    const { source } = this.#context;
    const begin = this.index;
    if (source.isWord(begin, 'FOR')) throw source.error(begin, 'FOR SYSTEM_TIME AS OF is not supported');
    let index = begin + 1;
    while (index < to && !source.isSymbol(index, '(')) index++;
    if (index >= to) throw source.unexpected(index);
    this.index = source.after(index);
    this.#writer.add(this.#context.expression({ from: begin, to: this.index }, this.#expressions));
  }
}

/** NATURAL FULL OUTER HASH, with one more to be lenient. */
const maxJoinWords = 5;

/** The index after the words of a join. Undefined if there is none. */
function joinEnd(context: Context, begin: number): number | undefined {
  const { source } = context;
  let index = begin;
  if (!source.isWord(index, 'NATURAL', 'INNER', 'CROSS', 'LEFT', 'RIGHT', 'FULL', 'HASH', 'LOOKUP', 'JOIN'))
    return undefined;
  while (
    index < begin + maxJoinWords &&
    source.isWord(index, 'NATURAL', 'INNER', 'CROSS', 'LEFT', 'RIGHT', 'FULL', 'OUTER', 'HASH', 'LOOKUP')
  )
    index++;
  if (!source.isWord(index, 'JOIN')) return undefined;
  return index + 1;
}
