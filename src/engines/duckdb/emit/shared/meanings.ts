import { type AnyNode, asMessage, idOf } from '../../../../sql/resolved/node.ts';
import type { SqlType } from '../../../../sql/values/type.ts';
import { constantOf } from '../../dialect/constant.ts';
import { columnsIn } from '../tree/columns-in.ts';
import { subqueryKind } from './row-expression.ts';

/** Fields that say where an expression stands, or what its other fields say as well. */
const ignored = new Set(['parse_location_range', 'signature']);

function isConstant(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'constant' in value;
}

function isColumn(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'column_id' in value;
}

/** The content of a node with a known value. */
function constantContent(message: AnyNode): string {
  const type = message.type as SqlType;
  return `constant ${JSON.stringify(type)} ${constantOf(message).sqlAs(type)}`;
}

/** Gives expressions of a resolved tree numbers: equal ones if they differ in their places only. */
export class Meanings {
  readonly #numbers = new Map<string, number>();
  readonly #known = new Map<object, number>();

  of(part: object): number {
    let number = this.#known.get(part);
    if (number === undefined) {
      const { [subqueryKind]: subquery } = part as AnyNode;
      number =
        subquery === undefined
          ? this.#number(this.#content(part))
          : this.#ofSubquery(asMessage(subquery, subqueryKind));
      this.#known.set(part, number);
    }
    return number;
  }

  /** The number of a subquery. The ids of its own columns don't count, only their order. */
  #ofSubquery(subquery: AnyNode): number {
    // The left side, as in `x IN (SELECT ...)`, is not within it.
    const outer = columnsIn([subquery.parameter_list, subquery.in_expr]);
    const own = new Map<string, number>();
    const columnContent = (id: string) => {
      if (outer.has(id)) return `column ${id}`;
      const known = own.get(id) ?? own.size;
      own.set(id, known);
      return `own column ${known}`;
    };
    const content = JSON.stringify(subquery, (field, value: unknown) => {
      if (ignored.has(field)) return undefined;
      if (isConstant(value)) return constantContent(value);
      if (isColumn(value)) return columnContent(idOf(value));
      if (typeof value === 'bigint') return `bigint ${value}`;
      return Object.is(value, -0) ? '-0' : value;
    });
    return this.#number(`subquery ${content}`);
  }

  #content(part: object): string {
    if (ArrayBuffer.isView(part))
      return `bytes ${Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('base64')}`;
    if (Array.isArray(part)) return `[${part.map((each) => this.#value(each)).join()}]`;
    const { column_id } = part as { readonly column_id?: unknown };
    if (column_id !== undefined) return `column ${column_id}`;
    if (isConstant(part)) return constantContent(part);
    let content = '';
    for (const [field, value] of Object.entries(part)) {
      if (value === undefined || value === null || ignored.has(field)) continue;
      content += field === 'type' ? JSON.stringify(value) : `${field}:${this.#value(value)},`;
    }
    return content;
  }

  #value(value: unknown): string {
    if (typeof value === 'object' && value !== null) return `#${this.of(value)}`;
    if (typeof value === 'string') return JSON.stringify(value);
    return Object.is(value, -0) ? '-0' : `${typeof value} ${value}`;
  }

  #number(content: string): number {
    const number = this.#numbers.get(content) ?? this.#numbers.size;
    this.#numbers.set(content, number);
    return number;
  }
}
