import { bySimilarity, distance } from '../../../base/text/suggest.ts';
import { textForms } from '../../../sql/text/parse-text.ts';
import { type ScalarType, type ScalarTypeName, scalarTypeNames } from '../../../sql/values/type.ts';

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

/** The type of a parameter: scalar, or an array of scalars. */
type ParameterType = ScalarType | { readonly kind: 'ARRAY'; readonly element: ScalarType };

/** The scalar types that a caller's text can be parsed as. */
export const scalarParameterTypes: readonly ScalarTypeName[] = scalarTypeNames.filter(
  (name) => textForms[name] !== undefined,
);

/** The types of parameters, as written in settings. */
export const parameterTypeNames: readonly string[] = [
  ...scalarParameterTypes,
  ...scalarParameterTypes.map((name) => `ARRAY<${name}>`),
];

/** @param name one of {@link parameterTypeNames} */
export function parameterType(name: string): ParameterType {
  const element = /^ARRAY<(.*)>$/.exec(name)?.[1];
  const kind = (element ?? name) as ScalarTypeName;
  return element === undefined ? { kind } : { kind: 'ARRAY', element: { kind } };
}

/** The type of one text: that of an array's elements, or the type itself. */
export function typeOfTexts(type: ParameterType): ScalarType {
  return type.kind === 'ARRAY' ? type.element : type;
}

/** Names of types in other dialects of SQL. */
const otherNames: Readonly<Record<string, ScalarTypeName>> = {
  BOOLEAN: 'BOOL',
  INT: 'INT64',
  INTEGER: 'INT64',
  BIGINT: 'INT64',
  FLOAT: 'FLOAT64',
  DOUBLE: 'FLOAT64',
  DECIMAL: 'NUMERIC',
  BIGDECIMAL: 'BIGNUMERIC',
  TEXT: 'STRING',
  VARCHAR: 'STRING',
  BINARY: 'BYTES',
};

/** The error for something that is not the name of a type, with the name that was probably meant. */
export function notAType(written: unknown): string {
  const meant = typeof written === 'string' ? meantType(written) : undefined;
  const hint = meant === undefined ? '' : `. Did you mean ${meant}?`;
  const expected = `expected one of ${scalarParameterTypes.join(', ')}, or ARRAY<...> of one of them`;
  return `${expected}, got ${JSON.stringify(written)}${hint}`;
}

function meantType(written: string): string | undefined {
  const name = written.toUpperCase().replace(/\s/g, '');
  const element = /^(?:ARRAY|LIST)<(.*)>$/.exec(name)?.[1] ?? /^(.+)\[\]$/.exec(name)?.[1];
  if (element !== undefined) {
    const meant = meantScalar(element);
    return meant && `ARRAY<${meant}>`;
  }
  return meantScalar(name);
}

function meantScalar(name: string): ScalarTypeName | undefined {
  const other = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  if (other !== undefined) return other;
  const [nearest] = bySimilarity(name, scalarParameterTypes) as readonly ScalarTypeName[];
  const allowed = name.length < 5 ? 1 : 2;
  return nearest !== undefined && distance(name, nearest) <= allowed ? nearest : undefined;
}

/** The maximum number of elements of an array whose settings have none. */
const defaultMaxItems = 1_000;

/** The highest allowed maximum. Values become part of the query's text on the embedded engine. */
export const highestMaxItems = 10_000;

/** The maximum number of elements of a parameter's array. */
export function maxItemsOf({ maxItems }: Pick<EndpointParameter, 'maxItems'>): number {
  return maxItems ?? defaultMaxItems;
}

/**
 * A caller's value of one parameter, before it is parsed: a text, or the texts of an array's elements. Null counts as
 * absent.
 */
export type GivenValue = string | null | readonly string[];

/** A caller's values, by parameter name. */
export type GivenParameters = ReadonlyMap<string, GivenValue>;

/** The texts in a value. */
export function textsIn(given: GivenValue): readonly string[] {
  if (given === null) return [];
  return typeof given === 'string' ? [given] : given;
}
