import type { Plan } from '../sql/plan.ts';
import type { ScalarType } from '../sql/type.ts';

/** A parameter that an endpoint declares. */
export interface EndpointParameter {
  /** As the stored query writes it after the `@`. Matched exactly, letter case included. */
  readonly name: string;
  readonly type: ScalarType;
  /** Whether a call without it, or with an empty text, is refused. */
  readonly required: boolean;
  /** The texts that are allowed, when there are only some. */
  readonly values?: readonly string[];
  readonly description?: string;
}

/** A stored query that can be called, with its settings. */
export interface Endpoint {
  /** A UUID in lower case. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Rows beyond this many are cut off. */
  readonly maxRows: number;
  readonly parameters: readonly EndpointParameter[];
  /** Whether callers may query its CTEs by `sql` or `lql`. */
  readonly sandbox: boolean;
  readonly redactPii: boolean;
  /** How long a result may be reused; 0 is not at all. */
  readonly cacheSeconds: number;
  /** How often a reused result is refreshed in the background; 0 is never. */
  readonly warmSeconds: number;
  /** Its query, typed by the analyzer: the text, the result columns, the parameters' types. */
  readonly plan: Plan;
  /** The file that it was read from. */
  readonly file: string;
}
