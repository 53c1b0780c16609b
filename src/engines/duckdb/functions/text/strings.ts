import { ignoresCase } from '../../../../sql/resolved/collated-type.ts';
import { lower, upper } from '../../macros/letter-case.ts';
import type { Macro } from '../../macros/macro.ts';
import {
  asciiCode,
  asciiLower,
  asciiUpper,
  character,
  firstPosition,
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
} from '../../macros/text.ts';
import { latinText } from '../../udf/text/latin.ts';
import { initialCapitalsAfter, positionOf, translate } from '../../udf/text/text-functions.ts';
import { concatenated } from '../call/concatenated.ts';
import { type FunctionEntries, guarded, macro, template, total } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { orBytes } from './bytes-as-text.ts';

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

/** DuckDB's function suffices if the text can't become longer. */
function replaceText(call: FunctionCall): string {
  const [old, by] = [call.arg(1), call.arg(2)].map(({ constant }) => constant?.value);
  const isShorter = typeof old === 'string' && typeof by === 'string' && by.length * 3 <= old.length;
  const isRemoved = by === '' && typeof old === 'string' && old !== '';
  if (isShorter || isRemoved) return template('replace($1, $2, $3)')(call);
  return replace.call([call.sql(0), call.sql(1), call.sql(2)], call.safe);
}

/** DuckDB's search suffices for a short, constant text. */
function firstOf(call: FunctionCall): string {
  const constant = call.arg(1).constant?.value;
  const isShort = typeof constant === 'string' && constant.length <= 100;
  const args = [call.sql(0), call.sql(1)];
  return isShort ? `strpos(${args.join(', ')})` : firstPosition.call(args, call.safe);
}

const length = (text: string) =>
  total((call) =>
    template(call.arg(0).type.kind === 'BYTES' ? 'CAST(octet_length($1) AS BIGINT)' : text)(call),
  );

/** Only ASCII letters in BYTES have upper and lower case. */
const letterCase = (ofText: typeof upper, ofBytes: typeof asciiUpper) => {
  const bytes = orBytes(macro(ofBytes));
  const text = macro(ofText);
  return total((call: FunctionCall) => (call.types[0]?.kind === 'BYTES' ? bytes : text).emit(call));
};

export const stringFunctions: FunctionEntries = {
  concat: total((call) => {
    // DuckDB would return a NULL without a type.
    const missing = call.all().find(({ constant }) => constant?.isNull);
    return missing?.sql ?? concatenated(call.all());
  }),
  collate: total((call) => {
    ignoresCase(call.constantText(1, 'collation'));
    return call.sql(0);
  }),
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
  strpos: orBytes(guarded(firstOf)),
  instr: orBytes(
    guarded((call) => {
      if (call.count === 2) return firstOf(call);
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
