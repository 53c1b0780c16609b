/** Fields that say where an expression stands, or what its other fields say as well. */
const ignored = new Set(['parse_location_range', 'signature']);

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
    let content = '';
    for (const [field, value] of Object.entries(part)) {
      if (value === undefined || value === null || ignored.has(field)) continue;
      content += field === 'type' ? JSON.stringify(value) : `${field}:${this.#value(value)},`;
    }
    return content;
  }

  #value(value: unknown): string {
    if (typeof value === 'object' && value !== null) return `#${this.of(value)}`;
    return typeof value === 'string' ? JSON.stringify(value) : `${typeof value} ${value}`;
  }

  #number(content: string): number {
    const number = this.#numbers.get(content) ?? this.#numbers.size;
    this.#numbers.set(content, number);
    return number;
  }
}
