import type { AnyNode } from '../../resolved/node.ts';
import { idOf } from '../../resolved/node.ts';
import type { OrderTerm, Term } from '../terms/term.ts';
import type { Block, BlockColumn, JoinKind, Relation } from './block.ts';

type Parts = { -readonly [Part in keyof Block]: Block[Part] };

/** A block of which some parts are read. */
export class BlockBuilder {
  readonly parts: Omit<Parts, 'label' | 'columns' | 'relations'> & {
    relations: Relation[];
    conditions: Term[];
    having: Term[];
    qualify: Term[];
    order: OrderTerm[];
    subqueries: Block[];
  } = {
    relations: [],
    conditions: [],
    grouping: undefined,
    having: [],
    qualify: [],
    hasWindows: false,
    distinct: undefined,
    order: [],
    limit: undefined,
    offset: undefined,
    rest: '',
    subqueries: [],
  };
  /** What is known of the columns that are visible, by their ids. */
  readonly #terms = new Map<string, Term>();
  /** Blocks around which this one is: they find columns that were not mentioned before. */
  readonly #inner: ((column: AnyNode) => Term | undefined)[] = [];

  define(column: unknown, term: Term): void {
    this.#terms.set(idOf(column), term);
  }

  /** The term of a column, if it is one of this block. */
  find(column: AnyNode): Term | undefined {
    const known = this.#terms.get(idOf(column));
    if (known !== undefined) return known;
    for (const inner of this.#inner) {
      const found = inner(column);
      if (found !== undefined) {
        this.#terms.set(idOf(column), found);
        return found;
      }
    }
    return undefined;
  }

  /** Adds what another block reads, joined. */
  join(other: BlockBuilder, kind: JoinKind): void {
    const [first, ...rest] = other.parts.relations;
    if (first !== undefined) this.parts.relations.push({ ...first, join: kind }, ...rest);
    this.parts.conditions.push(...other.parts.conditions);
    this.parts.rest += other.parts.rest;
    this.parts.subqueries.push(...other.parts.subqueries);
    this.#inner.push((column) => other.find(column));
  }

  /** Adds conditions of the join that was added last. */
  addConditions(on: readonly Term[]): void {
    const last = this.parts.relations.pop();
    if (last !== undefined) this.parts.relations.push({ ...last, on: [...last.on, ...on] });
  }

  /** Adds a whole block as a relation. Its columns become known when they are mentioned. */
  addQuery(inner: BlockBuilder, label: string, columnOf: (name: string) => Term): Relation {
    const columns: BlockColumn[] = [];
    const names = new Map<string, Term>();
    this.#inner.push((column) => {
      const term = inner.find(column);
      if (term === undefined) return undefined;
      const id = idOf(column);
      let outer = names.get(id);
      if (outer === undefined) {
        const name = uniqueName(String(column.name ?? ''), columns);
        columns.push({ name, term, type: '' });
        outer = columnOf(name);
        names.set(id, outer);
      }
      return outer;
    });
    // The list of columns grows while the blocks around it are read.
    const relation: Relation = {
      ...{ label, join: 'INNER' as const, on: [] },
      content: { kind: 'query', block: { ...inner.parts, label, columns } },
    };
    this.parts.relations.push(relation);
    return relation;
  }

  /** Whether it is rows of relations with conditions, of which a block around it can make its own. */
  get isPlain(): boolean {
    const { grouping, hasWindows, distinct, order, limit, offset } = this.parts;
    return (
      grouping === undefined &&
      !hasWindows &&
      distinct === undefined &&
      order.length === 0 &&
      limit === undefined &&
      offset === undefined
    );
  }

  get isLimited(): boolean {
    return this.parts.limit !== undefined || this.parts.offset !== undefined;
  }

  finished(label: string, columns: readonly BlockColumn[]): Block {
    return { ...this.parts, label, columns };
  }
}

function uniqueName(name: string, columns: readonly BlockColumn[]): string {
  const taken = new Set(columns.map((column) => column.name));
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name}#${number}`)) return `${name}#${number}`;
}
