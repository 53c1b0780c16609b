import { bySimilarity, distance } from '../../../base/text/suggest.ts';
import { textForms } from '../../../sql/text/parse-text.ts';
import { type ScalarType, type ScalarTypeName, scalarTypeNames } from '../../../sql/values/type.ts';

/** The type of a parameter: scalar, or an array of scalars. */
export type ParameterType = ScalarType | { readonly kind: 'ARRAY'; readonly element: ScalarType };

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
