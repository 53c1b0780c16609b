import type { AnyNode } from '../../../../sql/resolved/node.ts';
import type { SqlType } from '../../../../sql/values/type.ts';
import { constantOf } from '../../dialect/constant.ts';

/** Fields that say where an expression stands, or what its other fields say as well. */
const ignored = new Set(['parse_location_range', 'signature']);

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
      number = this.#number(this.#content(part));
      this.#known.set(part, number);
    }
    return number;
  }

  #content(part: object): string {
    if (ArrayBuffer.isView(part))
      return `bytes ${Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('base64')}`;
    if (Array.isArray(part)) return `[${part.map((each) => this.#value(each)).join()}]`;
    const { column_id } = part as { readonly column_id?: unknown };
    if (column_id !== undefined) return `column ${column_id}`;
    if ('constant' in part) return constantContent(part as AnyNode);
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
