import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Caller, isBounded, mayQuerySources } from '../../../calls/access/caller/caller.ts';
import { callableNames, callableSchema } from '../shape/callable-shapes.ts';
import { allVersions, type SchemaShape } from '../shape/shape.ts';

/** The endpoints of all schemas that are kept. Each takes about 120 KB (measured). */
const maxEndpoints = 1_000;

/**
 * The schemas of callers: of what each may call, so that neither introspection nor messages tell of other endpoints. Unrestricted
 * keys share the complete one. Of the others, those that may call the same share one, which is made when it is first needed.
 */
export class KeySchemas<Schema extends object> {
  readonly #shape: SchemaShape;
  readonly #complete: Schema;
  /** Whether some of the endpoints are for operators only. */
  readonly #hasOperators: boolean;
  readonly #make: (shape: SchemaShape) => Schema;
  readonly #schemas = new LRUCache<string, Schema>({ maxSize: maxEndpoints });
  /** What a caller may call, as a digest. */
  readonly #names = new WeakMap<Caller, string>();

  constructor(shape: SchemaShape, complete: Schema, make: (shape: SchemaShape) => Schema) {
    this.#shape = shape;
    this.#complete = complete;
    this.#hasOperators = shape.endpoints.some(({ endpoint }) => endpoint.operatorsOnly);
    this.#make = make;
  }

  of(caller: Caller): Schema {
    if (!isBounded(caller) && (!this.#hasOperators || mayQuerySources(caller))) return this.#complete;
    const name = this.#names.get(caller);
    const known = name === undefined ? undefined : this.#schemas.get(name);
    return known ?? this.#find(caller);
  }

  #find(caller: Caller): Schema {
    const shape = callableSchema(caller, this.#shape);
    const name = hash('sha256', callableNames(shape), 'base64');
    this.#names.set(caller, name);
    const known = this.#schemas.get(name);
    if (known !== undefined) return known;
    const made = this.#make(shape);
    const size = Math.min(maxEndpoints, allVersions(shape).length + 1);
    this.#schemas.set(name, made, { size });
    return made;
  }
}
