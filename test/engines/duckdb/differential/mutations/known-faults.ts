import type { Compared } from './compare-mutant.ts';

/** Outcomes that are no faults of the engine, with the reason. */
const known: readonly { readonly reason: string; readonly sql?: RegExp; readonly text?: RegExp }[] = [
  {
    reason:
      'The evaluator keeps a running average, in which an infinity turns to NaN when another number follows.',
    sql: /\bavg\s*\(.*'(?:-?inf|nan)'|'(?:-?inf|nan)'.*\bavg\s*\(/is,
  },
  {
    reason: 'Rows in which the value of HAVING MAX is NULL are not considered. The evaluator considers them.',
    sql: /\bhaving\s+(?:max|min)\b/i,
  },
  {
    reason: 'A path or an option that is NULL leaves the document as it is. The evaluator returns NULL.',
    sql: /^(?=.*(?:null|@mutant|@nothing)).*\bjson_(?:remove|set|strip_nulls|array_append|array_insert)\b/is,
  },
  {
    reason: 'A LIMIT without a value is refused before rows are read, also where none are needed.',
    text: /^GatewayError: (?:LIMIT|OFFSET) requires/,
  },
  {
    reason: 'The evaluator makes shorter arrays than BigQuery.',
    text: /Cannot generate arrays with more than 16000 elements/,
  },
  {
    reason: 'The evaluator takes the last 32 bits of years, months, days, hours, minutes and seconds.',
    text: /out of range for the destination type INT32|Input calculates to invalid/,
  },
  {
    reason: 'A sum of rows or operands that overflows and is not needed need not be computed.',
    text: /^AnalyzerError: (?:int64|double|numeric) overflow/,
  },
  {
    reason: 'The evaluator does not look at a regular expression if there is nothing to search.',
    text: /must not have more than 1 capturing group/,
  },
  {
    reason: 'A position beyond the text gives NULL. The evaluator compares it with the number of bytes.',
    sql: /\bregexp_(?:extract|substr|instr)\b.*é😀|é😀.*\bregexp_(?:extract|substr|instr)\b/is,
  },
  {
    reason: 'The evaluator has no base32.',
    text: /Invalid format 'base32'/i,
  },
  {
    reason: 'Any value may be the one.',
    sql: /\bany_value\(/i,
  },
  {
    reason: '`NOT LIKE ANY` and `NOT LIKE ALL` mean something else to the evaluator.',
    sql: /\bnot like (?:any|some|all)\b/i,
  },
  {
    reason: 'The last digits depend on the order of the sums. The evaluator loses more of them.',
    sql: /\b(?:var_samp|var_pop|stddev\w*|corr|covar_\w+)\(/i,
  },
];

/** Whether an outcome has one of these reasons. */
export function isKnown({ sql, text = '' }: Compared): boolean {
  return known.some((each) => (each.sql?.test(sql) ?? true) && (each.text?.test(text) ?? true));
}
