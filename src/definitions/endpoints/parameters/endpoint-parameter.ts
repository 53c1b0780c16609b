import type { ParameterType } from './parameter-type.ts';

/** A parameter that an endpoint declares. */
export interface EndpointParameter {
  /** The name after the `@` in the stored query. Case-sensitive. */
  readonly name: string;
  readonly type: ParameterType;
  /** Whether a call without it, or with an empty text or array, is refused. */
  readonly required: boolean;
  /** The allowed texts, if they are limited. This and the next four rules apply to each element of an array. */
  readonly values?: readonly string[];
  /** The lowest allowed value, as text. */
  readonly min?: string;
  /** The highest allowed value, as text. */
  readonly max?: string;
  /** The pattern that the whole text must match, in RE2's syntax. */
  readonly pattern?: string;
  /** The maximum length: of a STRING in characters, of BYTES in bytes. */
  readonly maxLength?: number;
  /** The maximum number of elements of an array. */
  readonly maxItems?: number;
  /** The value of a call without it, as text or texts. */
  readonly default?: string | readonly string[];
  readonly description?: string;
  /** Its name in GraphQL, if it differs from the derived one. */
  readonly argument?: string;
  /** A value for examples, as text or texts. */
  readonly example?: string | readonly string[];
}
