import type { EndpointShape } from '../../graphql/shape/shape.ts';

/** The ids of operations: an endpoint's is its field in GraphQL, and all others differ from those. */
export class OperationIds {
  readonly #used: Set<string>;

  constructor(endpoints: readonly EndpointShape[]) {
    this.#used = new Set(
      endpoints.flatMap(({ field, tables }) => (tables === undefined ? [field] : [field, tables.queryField])),
    );
  }

  /** Returns the name, or the name with a number that makes it unique. */
  unused(name: string): string {
    let id = name;
    for (let number = 2; this.#used.has(id); number++) id = `${name}${number}`;
    this.#used.add(id);
    return id;
  }
}
