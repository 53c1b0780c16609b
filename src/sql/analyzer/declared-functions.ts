import type { SqlType } from '../values/type.ts';
import { typeToProto } from './type-proto.ts';

/**
 * The type of an argument or result. `T1` and `T2` stand for any type, the same one at each occurrence; `arbitrary`
 * stands for any type at each.
 */
type DeclaredType = SqlType | 'T1' | 'T2' | 'arbitrary';

export interface DeclaredArgument {
  readonly type: DeclaredType;
  /** It can be omitted. */
  readonly optional?: boolean;
  /** It can be given any number of times. */
  readonly repeated?: boolean;
  /** It can be written as `name => value`. */
  readonly name?: string;
  /** Its type must be orderable. */
  readonly ordered?: boolean;
}

interface DeclaredSignature {
  readonly arguments: readonly DeclaredArgument[];
  readonly result: DeclaredType;
}

/** A BigQuery function that this version of the analyzer lacks. */
export interface DeclaredFunction {
  /** The name as users write it. */
  readonly name: string;
  readonly mode: 'SCALAR' | 'AGGREGATE';
  readonly signatures: readonly DeclaredSignature[];
}

/** The group of these functions in the resolved tree. That of built-in ones is `ZetaSQL`. */
export const declaredGroup = 'Gateway';

/** The group of functions that a text defines, with arguments of given types. */
export const definedGroup = 'Defined';

/** The group of functions that only BigQuery can run. */
export const bigQueryGroup = 'BigQuery';

const string: SqlType = { kind: 'STRING' };
const bytes: SqlType = { kind: 'BYTES' };
const int64: SqlType = { kind: 'INT64' };
const float64: SqlType = { kind: 'FLOAT64' };
const json: SqlType = { kind: 'JSON' };
const vector: SqlType = { kind: 'ARRAY', element: float64 };

const byGreatest: DeclaredSignature = {
  arguments: [{ type: 'T1' }, { type: 'T2', ordered: true }],
  result: 'T1',
};

const distance = (type: SqlType): DeclaredSignature => ({
  arguments: [{ type }, { type }, { type: int64, optional: true, name: 'max_distance' }],
  result: int64,
});

/** A vector as its magnitudes other than zero, each with its dimension. */
const sparse = (dimension: SqlType): SqlType => ({
  kind: 'ARRAY',
  element: {
    kind: 'STRUCT',
    fields: [
      { name: '', type: dimension },
      { name: '', type: float64 },
    ],
  },
});

const ofVectors = [vector, sparse(int64), sparse(string)].map(
  (type): DeclaredSignature => ({ arguments: [{ type }, { type }], result: float64 }),
);

/** BigQuery's function reference describes them. */
export const declaredFunctions: readonly DeclaredFunction[] = [
  { name: 'MAX_BY', mode: 'AGGREGATE', signatures: [byGreatest] },
  { name: 'MIN_BY', mode: 'AGGREGATE', signatures: [byGreatest] },
  {
    name: 'CONTAINS_SUBSTR',
    mode: 'SCALAR',
    signatures: [
      {
        arguments: [
          { type: 'arbitrary' },
          { type: string },
          { type: string, optional: true, name: 'json_scope' },
        ],
        result: { kind: 'BOOL' },
      },
    ],
  },
  { name: 'EDIT_DISTANCE', mode: 'SCALAR', signatures: [distance(string), distance(bytes)] },
  {
    name: 'JSON_KEYS',
    mode: 'SCALAR',
    signatures: [
      {
        arguments: [
          { type: json },
          { type: int64, optional: true },
          { type: string, optional: true, name: 'mode' },
        ],
        result: { kind: 'ARRAY', element: string },
      },
    ],
  },
  {
    name: 'JSON_FLATTEN',
    mode: 'SCALAR',
    signatures: [{ arguments: [{ type: json }], result: { kind: 'ARRAY', element: json } }],
  },
  { name: 'COSINE_DISTANCE', mode: 'SCALAR', signatures: ofVectors },
  { name: 'EUCLIDEAN_DISTANCE', mode: 'SCALAR', signatures: ofVectors },
];

const templates = { T1: 'ARG_TYPE_ANY_1', T2: 'ARG_TYPE_ANY_2', arbitrary: 'ARG_TYPE_ARBITRARY' } as const;

/** JSON_SET with the option that the analyzer's own lacks. */
const jsonSetWithOption: DeclaredFunction = {
  name: 'JSON_SET',
  mode: 'SCALAR',
  signatures: [
    {
      arguments: [
        { type: json },
        { type: string },
        { type: 'arbitrary' },
        { type: string, repeated: true },
        { type: 'arbitrary', repeated: true },
        { type: { kind: 'BOOL' }, optional: true, name: 'create_if_missing' },
      ],
      result: json,
    },
  ],
};

/** Functions of the analyzer that lack an option, by its name: a text with the name sees these instead. */
export const withOptions: ReadonlyMap<string, { readonly id: string; readonly proto: object }> = new Map([
  ['create_if_missing', { id: 'FN_JSON_SET', proto: functionToProto(jsonSetWithOption, declaredGroup) }],
]);

/** The declarations in the analyzer's wire form (`FunctionProto`). */
export function declaredFunctionsToProto(): readonly object[] {
  return declaredFunctions.map((each) => functionToProto(each, declaredGroup));
}

/** @param group the group of the function in the resolved tree */
export function functionToProto({ name, mode, signatures }: DeclaredFunction, group: string): object {
  return {
    name_path: name.split('.'),
    group,
    mode,
    signature: signatures.map(signatureToProto),
    options: { supports_having_modifier: false },
  };
}

function signatureToProto({ arguments: args, result }: DeclaredSignature): object {
  return { argument: args.map(argumentToProto), return_type: typeOf(result) };
}

function argumentToProto({ type, optional, repeated, name, ordered }: DeclaredArgument): object {
  const naming =
    name === undefined ? {} : { argument_name: name, named_argument_kind: 'POSITIONAL_OR_NAMED' };
  return {
    ...typeOf(type),
    options: {
      cardinality: optional === true ? 'OPTIONAL' : repeated === true ? 'REPEATED' : 'REQUIRED',
      must_support_ordering: ordered === true,
      ...naming,
    },
  };
}

function typeOf(type: DeclaredType): object {
  const kind = typeof type === 'string' ? { kind: templates[type] } : fixed(type);
  return { ...kind, num_occurrences: 1 };
}

function fixed(type: SqlType): object {
  return { kind: 'ARG_TYPE_FIXED', type: typeToProto(type) };
}
