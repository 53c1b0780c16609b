import { duckDb } from '../../../../src/app/engines/duckdb/definition.ts';
import { offeredFunctions } from '../../../../src/calls/sandbox/offered-functions.ts';
import type { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import { type CallableFunction, callableFunctions } from '../../../../src/sql/analyzer/callable-functions.ts';
import { builtinFunctionOptions } from '../../../../src/sql/analyzer/language.ts';

/** A type of an argument in the analyzer's answer. */
interface ArgumentType {
  readonly type_kind?: string;
  readonly enum_type?: { readonly enum_name: string };
  readonly array_type?: { readonly element_type: ArgumentType };
}

interface Argument {
  readonly kind: string;
  readonly type?: ArgumentType;
  readonly options: {
    readonly cardinality: 'REQUIRED' | 'OPTIONAL' | 'REPEATED';
    readonly argument_name?: string;
    readonly named_argument_kind?: string;
    readonly must_be_constant?: boolean;
    readonly is_not_aggregate?: boolean;
  };
  readonly lambda?: { readonly argument: readonly Argument[]; readonly body: Argument };
}

interface Builtin {
  readonly name_path: readonly string[];
  readonly options?: { readonly alias_name?: string };
  readonly signature?: readonly { readonly argument?: readonly Argument[] }[];
}

/** A function and expressions that call it with the longest arguments. */
export interface CatalogueCalls {
  readonly name: string;
  readonly kind: CallableFunction['kind'];
  readonly calls: readonly string[];
}

/**
 * The columns of {@link rowsOf} by the kind of type. Each text differs from row to row, so that DuckDB can't compute a call
 * once for all rows.
 */
const columns: Readonly<Record<string, string>> = {
  TYPE_STRING: 's',
  TYPE_BYTES: 'b',
  TYPE_INT64: 'n',
  TYPE_DOUBLE: 'f',
  TYPE_NUMERIC: 'd',
  TYPE_BIGNUMERIC: 'bd',
  TYPE_BOOL: 'o',
  TYPE_DATE: 'day',
  TYPE_DATETIME: 'dt',
  TYPE_TIMESTAMP: 'ts',
  TYPE_TIME: 'tm',
  TYPE_INTERVAL: 'iv',
  TYPE_JSON: 'j',
};

const arrays: Readonly<Record<string, string>> = {
  TYPE_STRING: 'words',
  TYPE_BYTES: 'byte_words',
  TYPE_INT64: 'numbers',
  TYPE_DOUBLE: 'doubles',
  TYPE_JSON: 'jsons',
};

/** Twenty thousand rows whose texts have so many characters, and whose arrays so many elements. */
export function rowsOf(characters: number, elements: number): string {
  const text = (pattern: string) => `RPAD(CAST(n AS STRING), ${characters}, '${pattern}')`;
  return `SELECT n, ${text('ab c,ä')} AS s, ${text('ba C,ö')} AS t, ${text('aaaaab')} AS p, ${text('7')} AS digits,
    CAST(${text('abcdef')} AS BYTES) AS b, CAST(${text('bcdefa')} AS BYTES) AS b2, n / 7 AS f, CAST(n AS NUMERIC) / 7 AS d,
    CAST(n AS BIGNUMERIC) / 7 AS bd, MOD(n, 2) = 0 AS o, DATE_ADD(DATE '2020-01-01', INTERVAL n DAY) AS day,
    DATETIME_ADD(DATETIME '2020-01-01 00:00:00', INTERVAL n HOUR) AS dt, TIMESTAMP_SECONDS(n * 10000) AS ts,
    TIME_ADD(TIME '01:02:03', INTERVAL n SECOND) AS tm, MAKE_INTERVAL(day => n) AS iv, TO_JSON(${text('ab c,ä')}) AS j,
    TO_JSON(GENERATE_ARRAY(n, n + ${elements})) AS numbers_json,
    SPLIT(RPAD(CAST(n AS STRING), ${elements} * 3, ',ab'), ',') AS words, GENERATE_ARRAY(n, n + ${elements}) AS numbers,
    ARRAY(SELECT CAST(e AS FLOAT64) FROM UNNEST(GENERATE_ARRAY(n, n + ${elements})) AS e) AS doubles
  FROM UNNEST(GENERATE_ARRAY(1, 20000)) AS n`;
}

/** Constants that a function may want. The first that the analyzer takes is used. */
const constants: Readonly<Record<string, readonly string[]>> = {
  TYPE_STRING: ["'$.a'", "'UTC'", "'%E*S'", "'a'"],
  TYPE_BYTES: ["b'a'"],
  TYPE_INT64: ['2'],
  TYPE_DOUBLE: ['0.5'],
  TYPE_BOOL: ['TRUE'],
};

const enums: Readonly<Record<string, readonly string[]>> = {
  'zetasql.functions.DateTimestampPart': ['DAY', 'HOUR'],
  'zetasql.functions.NormalizeMode': ['NFKC', 'NFD'],
  'zetasql.functions.RoundingMode': ["'ROUND_HALF_EVEN'"],
};

/** What an argument may be, as SQL, best first. */
function candidates(argument: Argument, position: number): readonly string[] {
  const { kind, type, options } = argument;
  const isConstant = options.must_be_constant === true || options.is_not_aggregate === true;
  switch (kind) {
    case 'ARG_TYPE_FIXED':
      return ofType(type ?? {}, isConstant, position);
    case 'ARG_ARRAY_TYPE_ANY_1':
    case 'ARG_ARRAY_TYPE_ANY_2':
      return ['words', 'numbers'];
    case 'ARG_TYPE_LAMBDA':
      return argument.lambda?.argument.length === 2
        ? ['(e, i) -> LENGTH(e) > i', '(e, i) -> UPPER(e)']
        : ["e -> REPLACE(e, 'a', 'b') = 'b'", 'e -> UPPER(e)'];
    default:
      return isConstant ? ["'a'", '2'] : [position === 0 ? 's' : 't', 'n', 'f', 'numbers'];
  }
}

function ofType(type: ArgumentType, isConstant: boolean, position: number): readonly string[] {
  const { type_kind: kind = '', enum_type: enumType, array_type: arrayType } = type;
  if (enumType !== undefined) return enums[enumType.enum_name] ?? [];
  if (arrayType !== undefined) {
    const name = arrays[arrayType.element_type.type_kind ?? ''];
    return name === undefined ? [] : [name];
  }
  const column =
    kind === 'TYPE_STRING' && position > 0
      ? 't'
      : kind === 'TYPE_BYTES' && position > 0
        ? 'b2'
        : columns[kind];
  const known = constants[kind] ?? [];
  if (column === undefined) return known;
  return isConstant ? known : [column, ...known];
}

/** Every combination, those with the best candidates first, at most so many. */
function combinations(parts: readonly (readonly string[])[], most: number): string[][] {
  let all: string[][] = [[]];
  for (const part of parts)
    all = all.flatMap((done) => part.map((each) => [...done, each])).slice(0, most * 4);
  return all.slice(0, most);
}

function argumentLists(args: readonly Argument[]): string[][] {
  const required = args.filter(({ options }) => options.cardinality === 'REQUIRED');
  const given = args.flatMap((arg) => (arg.options.cardinality === 'REPEATED' ? [arg, arg] : [arg]));
  return [given, required].flatMap((list) =>
    combinations(
      list.map((argument, i) => {
        const { argument_name: name, named_argument_kind: naming } = argument.options;
        const prefix = naming === 'NAMED_ONLY' ? `${name} => ` : '';
        return candidates(argument, i).map((sql) => prefix + sql);
      }),
      24,
    ),
  );
}

const over = {
  scalar: (call: string) => call,
  aggregate: (call: string) => call,
  window: (call: string) => `${call} OVER (ORDER BY s)`,
};

/**
 * Every function that ad-hoc queries are offered, with calls that its signatures allow: those of the analyzer's catalogue by
 * their signatures, the others by `written`.
 *
 * @param written calls of further functions, or better ones, by name in capitals
 */
export async function catalogueCalls(
  analyzer: Analyzer,
  written: Readonly<Record<string, readonly string[]>>,
): Promise<readonly CatalogueCalls[]> {
  const call = (method: Parameters<Analyzer['call']>[0], request: object) => analyzer.call(method, request);
  const offered = await offeredFunctions(() => callableFunctions(call), duckDb.hasFunction)();
  const { function: builtins } = (await call('getBuiltinFunctions', builtinFunctionOptions)) as {
    readonly function: readonly Builtin[];
  };
  const signatures = new Map<string, readonly (readonly Argument[])[]>();
  for (const { name_path, options, signature = [] } of builtins) {
    const lists = signature.map(({ argument = [] }) => argument);
    for (const name of [name_path.join('.'), options?.alias_name ?? ''])
      signatures.set(name.toUpperCase(), lists);
  }
  return offered.map(({ name, kind }) => {
    const made = (signatures.get(name) ?? []).map((args) =>
      argumentLists(args).map((list) => over[kind](`${name}(${list.join(', ')})`)),
    );
    return { name, kind, calls: [...(written[name] ?? []), ...made.flat()] };
  });
}
