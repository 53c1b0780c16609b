import { type AnyNode, asList, asMessage } from '../../../../src/sql/resolved/node.ts';
import type { Random } from '../../../fuzz/random.ts';
import { callModifiers, endings, oddAtoms } from './odd-atoms.ts';

/** Expressions of a type: literals, odd ones, columns and parameters. Each is also cast from NULL, which is a literal to the analyzer. */
const byType: Readonly<Record<string, readonly string[]>> = {
  INT64: [
    '1',
    '0',
    '-9223372036854775808',
    'id',
    'a',
    '@number',
    'CAST("1" AS INT64)',
    '(SELECT 1)',
    '0x7fffffffffffffff',
    'SAFE_CAST("x" AS INT64)',
  ],
  DOUBLE: ['1.5', 'x', "CAST('nan' AS FLOAT64)", '1e308', '-0.0'],
  BOOL: ['TRUE', 'flag', 'id > 1', 'NOT FALSE', '(1 IS NULL)'],
  STRING: [
    "''",
    "'a'",
    's',
    '@project',
    "'$.a'",
    "'UTC'",
    "'+25:00'",
    "'und:ci'",
    "'%E4Y %Q'",
    "'[('",
    "'\\\\9'",
    "COLLATE('a', 'und:ci')",
    "'NFKC'",
    "CONCAT('a', s)",
    "'x' || NULL",
    "'$[9999999999999999999]'",
    "'lax $.a'",
    "'$..a'",
    "''''''",
    "'1-2 3 4:5:6'",
  ],
  BYTES: ["b''", "b'\\xff'", 'CAST(s AS BYTES)', "FROM_HEX('00')"],
  DATE: ["DATE '2026-01-01'", 'CURRENT_DATE()', 'DATE(@instant)', "DATE '9999-12-31'", "CAST('x' AS DATE)"],
  TIME: ["TIME '12:00:00'", "CAST('99' AS TIME)"],
  DATETIME: ["DATETIME '2026-01-01 00:00:00'", "DATETIME '9999-12-31 23:59:59.999999'"],
  TIMESTAMP: ["TIMESTAMP '2026-01-01'", '@instant', "TIMESTAMP '0001-01-01'", 'CURRENT_TIMESTAMP()'],
  NUMERIC: ["NUMERIC '1.5'", 'CAST(a AS NUMERIC)', "NUMERIC '-1e28'"],
  BIGNUMERIC: ["BIGNUMERIC '1.5'", "BIGNUMERIC '5.7e38'"],
  JSON: ["JSON '{}'", '@document', "JSON '[1]'", "PARSE_JSON('{}')", 'TO_JSON(nums)'],
  INTERVAL: [
    'INTERVAL 1 DAY',
    'INTERVAL a HOUR',
    "INTERVAL '1-2' YEAR TO MONTH",
    'MAKE_INTERVAL(1)',
    'INTERVAL @number MINUTE',
  ],
  GEOGRAPHY: ['ST_GEOGPOINT(1, 2)', "ST_GEOGFROMTEXT('POINT(1 2)')"],
  'ARRAY<INT64>': [
    '[1, 2]',
    'arr',
    '@list',
    '[]',
    '[NULL]',
    'GENERATE_ARRAY(1, 3)',
    'ARRAY(SELECT id FROM nums)',
  ],
  'ARRAY<STRING>': ["['a', NULL]", 'SPLIT(s)', '[]', "[COLLATE('a', 'und:ci')]"],
  'ARRAY<BYTES>': ["[b'a']", '[]'],
  'ARRAY<DOUBLE>': ['[1.5]', '[1, 2.5]'],
  'ARRAY<JSON>': ["[JSON '1']"],
  'STRUCT<a INT64>': ['STRUCT(1 AS a)', '@record', '(1, 2)', 'STRUCT<INT64, STRING>(1, NULL)'],
};
const types = Object.keys(byType);
const written = (type: string) => type.replace('DOUBLE', 'FLOAT64');
const parts = [
  'DAY',
  'WEEK',
  'WEEK(SUNDAY)',
  'ISOWEEK',
  'MONTH',
  'YEAR',
  'ISOYEAR',
  'QUARTER',
  'HOUR',
  'SECOND',
  'MICROSECOND',
  'NANOSECOND',
  'DAYOFWEEK',
  'DATE',
  'TIME',
];
const lambdas = [
  'e -> e',
  'e -> e IS NULL',
  '(e, i) -> i > 0',
  'e -> NULL',
  'e -> (SELECT COUNT(*) FROM nums WHERE id = 1)',
  'e -> x + 1',
  '(e) -> TRUE',
  'e -> e = @number',
];

/** An expression of a type, by its name. */
export function typedExpression(type: string, dice: Random): string {
  if (dice.isLess(0.12)) return `CAST(NULL AS ${written(type)})`;
  if (dice.isLess(0.03)) return `SAFE_CAST(CAST(NULL AS STRING) AS ${written(type)})`;
  if (dice.isLess(0.05)) return 'NULL';
  if (dice.isLess(0.04)) return dice.pick(oddAtoms);
  return dice.pick(byType[type] ?? oddAtoms);
}

/** Places in the syntax where the analyzer evaluates constants itself. */
const syntax: readonly string[] = [
  ...[
    'INTERVAL STRING DAY',
    'INTERVAL INT64 QUARTER',
    'INTERVAL STRING YEAR TO SECOND',
    'EXTRACT(DAY FROM TIMESTAMP AT TIME ZONE STRING)',
    'EXTRACT(WEEK(MONDAY) FROM DATE)',
  ],
  ...[
    'CAST(TIMESTAMP AS STRING FORMAT STRING)',
    'CAST(TIMESTAMP AS STRING FORMAT STRING AT TIME ZONE STRING)',
    'CAST(STRING AS TIMESTAMP FORMAT STRING AT TIME ZONE STRING)',
  ],
  ...[
    'CAST(BYTES AS STRING FORMAT STRING)',
    'SAFE_CAST(STRING AS BYTES FORMAT STRING)',
    'CAST(NUMERIC AS STRING FORMAT STRING)',
    'CAST(STRING AS NUMERIC FORMAT STRING)',
  ],
  ...[
    'CAST(STRING AS DATE)',
    'CAST(STRING AS INTERVAL)',
    'CAST(INTERVAL AS STRING)',
    'CAST(STRING AS STRING(3))',
    'CAST(NUMERIC AS NUMERIC(3, 1))',
    'CAST(ARRAY<INT64> AS ARRAY<STRING>)',
    'CAST(STRUCT<a INT64> AS STRUCT<b STRING>)',
  ],
  ...[
    'STRING LIKE STRING',
    'STRING LIKE ANY (STRING, STRING)',
    'STRING NOT LIKE ALL UNNEST(ARRAY<STRING>)',
    'INT64 IN (INT64, INT64)',
    'STRING IN UNNEST(ARRAY<STRING>)',
    'DATE BETWEEN DATE AND DATE',
    'STRING COLLATE STRING',
  ],
  ...[
    'COLLATE(STRING, STRING)',
    'CASE STRING WHEN STRING THEN INT64 ELSE DOUBLE END',
    'CASE WHEN BOOL THEN ARRAY<INT64> END',
    'IF(BOOL, JSON, JSON)',
    'COALESCE(STRUCT<a INT64>, NULL)',
    'NULLIF(STRING, STRING)',
  ],
  ...[
    'TIMESTAMP + INTERVAL',
    'DATE - DATE',
    'DATE + INT64',
    'INTERVAL * INT64',
    'INTERVAL / INT64',
    '-INTERVAL',
    'STRING || STRING',
    'BYTES || BYTES',
    'ARRAY<INT64> || ARRAY<INT64>',
    'INT64 << INT64',
    '~BYTES',
    'NUMERIC / BIGNUMERIC',
  ],
  ...[
    'ARRAY<INT64>[INT64]',
    'ARRAY<INT64>[SAFE_OFFSET(INT64)]',
    'JSON[STRING]',
    'JSON[INT64]',
    'JSON.a.b',
    'STRUCT<a INT64>.a',
    '(STRUCT<a INT64>)[OFFSET(INT64)]',
    'ARRAY<STRUCT<a INT64>>[STRUCT<a INT64>]',
    'STRUCT<a STRING, b INT64>(STRING, INT64)',
    'ARRAY<STRING>[STRING, STRING]',
  ],
  ...[
    'ROW_NUMBER() OVER (ORDER BY INT64 ROWS BETWEEN INT64 PRECEDING AND INT64 FOLLOWING)',
    'SUM(INT64) OVER (ORDER BY INT64 RANGE BETWEEN INT64 PRECEDING AND INT64 FOLLOWING)',
    'LAG(STRING, INT64, STRING) OVER (PARTITION BY STRING ORDER BY DOUBLE)',
    'NTH_VALUE(STRING, INT64) OVER (ORDER BY DATE)',
    'PERCENTILE_CONT(DOUBLE, DOUBLE) OVER (PARTITION BY STRING)',
    'NTILE(INT64) OVER (ORDER BY STRING)',
  ],
  ...[
    'ARRAY_AGG(STRING IGNORE NULLS ORDER BY STRING LIMIT INT64)',
    'STRING_AGG(DISTINCT STRING, STRING ORDER BY STRING LIMIT INT64)',
    'ANY_VALUE(STRING HAVING MAX INT64)',
    'APPROX_QUANTILES(DISTINCT INT64, INT64 IGNORE NULLS)',
    'APPROX_TOP_SUM(STRING, INT64, INT64)',
    'COUNT(DISTINCT STRUCT<a INT64>)',
    'MAX(COLLATE(STRING, "und:ci"))',
  ],
  ...[
    'WITH(v AS STRING, w AS CONCAT(v, STRING), w)',
    'ARRAY(SELECT AS STRUCT STRING, INT64)',
    'EXISTS(SELECT STRING LIMIT INT64)',
    '(SELECT STRING ORDER BY INT64 LIMIT INT64 OFFSET INT64)',
    'UNNEST(ARRAY<INT64>)',
    'FORMAT(STRING, STRING, INT64)',
    'DATE_TRUNC(DATE, WEEK(MONDAY))',
  ],
];

/** Something from the table above with expressions in place of the names of types. */
export function syntaxCase(dice: Random): string {
  return dice
    .pick(syntax)
    .replace(
      /(?<!AS |<)\b(?:ARRAY<(?:INT64|STRING)>|STRUCT<a INT64>|INT64|DOUBLE|BOOL|STRING|BYTES|DATE|TIMESTAMP|NUMERIC|BIGNUMERIC|JSON|INTERVAL)(?![\w>(<'"]| [a-zA-Z]*>|\[S| STRING| INT64| DAY| QUARTER| YEAR)/g,
      (type) => typedExpression(type, dice),
    )
    .replace(/INTERVAL (STRING|INT64)/, (_, type: string) => `INTERVAL ${typedExpression(type, dice)}`);
}

/** A call of a function with arguments of the types of one of its signatures, nearly always. */
export function typedCall(functions: readonly AnyNode[], dice: Random, depth = 1): string {
  const definition = dice.pick(functions);
  const signatures = asList(definition.signature, 'signature');
  const name = asList(definition.name_path, 'name_path').join('.');
  if (signatures.length === 0 || name.startsWith('$')) return syntaxCase(dice);
  const bound = new Map<string, string>();
  const args = asList(asMessage(dice.pick(signatures), 'signature').argument, 'argument').flatMap((each) => {
    const argument = asMessage(each, 'argument');
    const options = asMessage(argument.options ?? {}, 'options');
    const times =
      options.cardinality === 'REPEATED'
        ? dice.below(4)
        : options.cardinality === 'OPTIONAL'
          ? dice.below(2)
          : 1;
    const named =
      typeof options.argument_name === 'string' && dice.isLess(0.2) ? `${options.argument_name} => ` : '';
    return Array.from(
      { length: times },
      () => `${named}${argumentOf(argument, bound, functions, dice, depth)}`,
    );
  });
  if (dice.isLess(0.05)) args.splice(dice.below(args.length + 1), dice.below(2), dice.pick(oddAtoms));
  const modifier = dice.isLess(0.08) ? ` ${dice.pick(callModifiers)}` : '';
  const over =
    definition.mode === 'ANALYTIC'
      ? ' OVER (ORDER BY id)'
      : dice.isLess(0.05)
        ? ` ${dice.pick(endings)}`
        : '';
  return `${dice.isLess(0.06) ? 'SAFE.' : ''}${name}(${args.join(', ')}${modifier})${over}`;
}

function argumentOf(
  argument: AnyNode,
  bound: Map<string, string>,
  functions: readonly AnyNode[],
  dice: Random,
  depth: number,
): string {
  if (depth > 0 && dice.isLess(0.12)) return typedCall(functions, dice, depth - 1);
  const kind = String(argument.kind);
  if (kind === 'ARG_TYPE_LAMBDA') return dice.pick(lambdas);
  const type =
    argument.type === undefined || argument.type === null
      ? undefined
      : typeName(asMessage(argument.type, 'type'));
  if (type !== undefined) return type === 'ENUM' ? dice.pick(parts) : typedExpression(type, dice);
  const number = /\d$/.exec(kind)?.[0] ?? kind;
  const element = bound.get(number) ?? dice.pick(types);
  bound.set(number, element);
  if (/ARRAY/.test(kind))
    return element in byType && `ARRAY<${element}>` in byType
      ? typedExpression(`ARRAY<${element}>`, dice)
      : `[${typedExpression(element, dice)}]`;
  return typedExpression(element, dice);
}

function typeName(type: AnyNode): string {
  const kind = String(type.type_kind).replace('TYPE_', '');
  if (kind !== 'ARRAY') return kind;
  return `ARRAY<${typeName(asMessage(asMessage(type.array_type, 'array_type').element_type, 'element_type'))}>`;
}

/** A query around a call, or around something from the table of syntax. */
export function typedQuery(functions: readonly AnyNode[], dice: Random): string {
  const expression = () => (dice.isLess(0.35) ? syntaxCase(dice) : typedCall(functions, dice));
  const [v, w] = [expression(), expression()];
  return dice.pick([
    `SELECT ${v} FROM nums`,
    `SELECT ${v} FROM nums`,
    `SELECT ${v}`,
    `SELECT ${v}, ${w} FROM nums`,
    `SELECT t, ${v} FROM nums GROUP BY t`,
    `SELECT ${v} AS k, COUNT(*) FROM nums GROUP BY k`,
    `SELECT id FROM nums WHERE ${v} IS NOT NULL`,
    `SELECT id FROM nums ORDER BY ${v} LIMIT 1`,
    `SELECT * FROM nums AS n JOIN nums AS m ON ${v.replaceAll('id', 'n.id')} = ${w.replaceAll('id', 'm.id')}`,
    `SELECT ${v} UNION ALL SELECT ${w}`,
    `SELECT STRUCT(${v} AS p, ${w} AS q).p FROM nums`,
    `SELECT [${v}, ${w}] FROM nums`,
    `SELECT IF(flag, ${v}, ${w}) FROM nums`,
    `SELECT (${v}) = (${w}), (${v}) IN (${w}, NULL) FROM nums`,
    `SELECT * FROM (SELECT t, ${v} AS v FROM nums) PIVOT(MAX(v) FOR t IN ('a', ${typedExpression('STRING', dice)}))`,
    `CREATE TEMP FUNCTION f(id ANY TYPE, s STRING) AS (${v}); SELECT f(1, 'a')`,
  ]);
}
