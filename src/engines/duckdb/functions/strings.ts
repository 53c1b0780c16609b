import type { Expression } from '../emit/expression.ts';
import { whenRoom } from '../functions-in-js/claim.ts';
import { latinText } from '../functions-in-js/latin.ts';
import { initialCapitalsAfter, positionOf, translate } from '../functions-in-js/text-functions.ts';
import { lower, upper } from '../macros/letter-case.ts';
import type { Macro } from '../macros/macro.ts';
import {
  asciiCode,
  asciiLower,
  asciiUpper,
  character,
  initialCapitals,
  left,
  padLeft,
  padRight,
  repeat,
  replace,
  reverse,
  right,
  split,
  substring,
  substringFrom,
  trim,
  trimLeft,
  trimRight,
  unicodeCode,
} from '../macros/text.ts';
import { orBytes } from './bytes-as-text.ts';
import { type FunctionEntries, guarded, macro, template, total } from './entry.ts';
import type { FunctionCall } from './function-call.ts';

const onText = (text: string) => orBytes(total(template(text)));

const trimming = (name: string, ofSpace: Macro) =>
  orBytes(
    total((call) => {
      const characters = call.optional(1);
      return characters === undefined
        ? ofSpace.call([call.sql(0)])
        : `${name}(${call.sql(0)}, ${characters.sql})`;
    }),
  );

const substr = orBytes(
  guarded((call) => {
    const length = call.optional(2);
    const args = [call.sql(0), call.sql(1)];
    return length === undefined ? substringFrom.call(args) : substring.call([...args, length.sql], call.safe);
  }),
);

const pad = (definition: typeof padLeft) =>
  orBytes(
    guarded((call) => definition.call([call.sql(0), call.sql(1), call.optional(2)?.sql ?? "' '"], call.safe)),
  );

/** What can't make a text longer is left to DuckDB. */
function replaceText(call: FunctionCall): string {
  const [old, by] = [call.arg(1), call.arg(2)].map(({ constant }) => constant);
  const isShorter = typeof old === 'string' && typeof by === 'string' && by.length * 3 <= old.length;
  const isRemoved = by === '' && typeof old === 'string' && old !== '';
  if (isShorter || isRemoved) return template('replace($1, $2, $3)')(call);
  return replace.call([call.sql(0), call.sql(1), call.sql(2)], call.safe);
}

/** So many texts are put together at a time that counting them stays short. */
const joinedAtOnce = 8;
/** Where texts of columns come together, in stages, so that no stage makes much more than there is room for. */
function concat(call: FunctionCall): string {
  const parts = call.all();
  const groups = Array.from({ length: Math.ceil(parts.length / joinedAtOnce) }, (_, i) =>
    joined(parts.slice(i * joinedAtOnce, (i + 1) * joinedAtOnce)),
  );
  return groups.length === 1 ? groups.join() : `(${groups.join(' || ')})`;
}

function joined(parts: readonly Expression[]): string {
  const whole = `(${parts.map(({ sql }) => sql).join(' || ')})`;
  const known = constantBytes(parts);
  const columns = parts.filter(({ constant, weight }) => constant === undefined && weight <= 1);
  if (columns.length < 2 && known <= shortConstants) return whole;
  // What DuckDB knows already it would claim only once. Longer expressions would double with each call that this one is part of.
  const varying = parts.filter(({ constant, sql }) => constant === undefined && sql.length <= shortSql);
  const measured = columns.length > 0 ? columns : varying.slice(0, 1);
  if (measured.length === 0) return whole;
  const lengths = measured.map(
    ({ sql, type }) => `${type.kind === 'BYTES' ? 'octet_length' : 'strlen'}(${sql})`,
  );
  if (known > 0) lengths.push(String(known));
  return `CASE ${whenRoom(`(${lengths.join(' + ')})`)} ${whole} END`;
}

/** Bytes of constants that make no text large. */
const shortConstants = 1_024;
/** Characters of SQL that may be written twice. */
const shortSql = 200;

function constantBytes(parts: readonly Expression[]): number {
  return parts.reduce(
    (sum, { constant }) => sum + (typeof constant === 'string' ? Buffer.byteLength(constant) : 0),
    0,
  );
}

const length = (text: string) =>
  total((call) =>
    template(call.arg(0).type.kind === 'BYTES' ? 'CAST(octet_length($1) AS BIGINT)' : text)(call),
  );

/** BYTES have upper and lower case in ASCII only. */
const letterCase = (ofText: typeof upper, ofBytes: typeof asciiUpper) => {
  const bytes = orBytes(macro(ofBytes));
  const text = macro(ofText);
  return guarded((call: FunctionCall) => (call.types[0]?.kind === 'BYTES' ? bytes : text).emit(call));
};

export const stringFunctions: FunctionEntries = {
  concat: total(concat),
  length: length('length($1)'),
  byte_length: length('strlen($1)'),
  char_length: total(template('length($1)')),
  lower: letterCase(lower, asciiLower),
  upper: letterCase(upper, asciiUpper),
  initcap: guarded((call) => {
    const delimiters = call.optional(1);
    if (delimiters === undefined) return initialCapitals.call([call.sql(0)]);
    return initialCapitalsAfter.call([call.sql(0), delimiters.sql]);
  }),
  trim: trimming('trim', trim),
  ltrim: trimming('ltrim', trimLeft),
  rtrim: trimming('rtrim', trimRight),
  substr,
  left: orBytes(macro(left)),
  right: orBytes(macro(right)),
  strpos: onText('strpos($1, $2)'),
  instr: orBytes(
    guarded((call) => {
      if (call.count === 2) return template('strpos($1, $2)')(call);
      const [position, occurrence] = [call.sql(2), call.optional(3)?.sql ?? '1::BIGINT'];
      return positionOf.call([call.sql(0), call.sql(1), position, occurrence], call.safe);
    }),
  ),
  replace: orBytes(guarded(replaceText)),
  reverse: orBytes(macro(reverse)),
  repeat: orBytes(macro(repeat)),
  translate: orBytes(macro(translate)),
  starts_with: onText('starts_with($1, $2)'),
  ends_with: onText('ends_with($1, $2)'),
  split: orBytes(total((call) => split.call([call.sql(0), call.optional(1)?.sql ?? "','"]))),
  lpad: pad(padLeft),
  rpad: pad(padRight),
  ascii: guarded((call) =>
    call.types[0]?.kind === 'BYTES'
      ? unicodeCode.call([latinText.call([call.sql(0)])])
      : asciiCode.call([call.sql(0)], call.safe),
  ),
  unicode: macro(unicodeCode),
  chr: macro(character),
};
