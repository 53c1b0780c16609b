import { lower, upper } from '../macros/letter-case.ts';
import {
  asciiCode,
  initialCapitals,
  left,
  padLeft,
  padRight,
  repeat,
  reverse,
  right,
  split,
  substring,
  substringFrom,
  whiteSpace,
} from '../macros/text.ts';
import { type FunctionEntries, failing, guarded, macro, template, textOnly, total } from './entry.ts';
import type { FunctionCall } from './function-call.ts';

const onText = (text: string) => textOnly(total(template(text)));

const trim = (name: string) =>
  textOnly(total((call) => `${name}(${call.sql(0)}, ${call.optional(1)?.sql ?? whiteSpace.call([])})`));

const substr = textOnly(
  guarded((call) => {
    const length = call.optional(2);
    const args = [call.sql(0), call.sql(1)];
    return length === undefined ? substringFrom.call(args) : substring.call([...args, length.sql], call.safe);
  }),
);

const pad = (definition: typeof padLeft) =>
  textOnly(
    guarded((call) => definition.call([call.sql(0), call.sql(1), call.optional(2)?.sql ?? "' '"], call.safe)),
  );

const concat = total(
  (call) =>
    `(${call
      .all()
      .map(({ sql }) => sql)
      .join(' || ')})`,
);

const byBytes = (bytes: string, text: string) => (call: FunctionCall) =>
  call.arg(0).type.kind === 'BYTES'
    ? `octet_length(${call.sql(0)})`
    : template(call.name === 'BYTE_LENGTH' ? bytes : text)(call);

export const stringFunctions: FunctionEntries = {
  concat,
  length: total(byBytes('strlen($1)', 'length($1)')),
  byte_length: total(byBytes('strlen($1)', 'length($1)')),
  char_length: onText('length($1)'),
  lower: textOnly(macro(lower)),
  upper: textOnly(macro(upper)),
  initcap: textOnly(
    guarded((call) => {
      if (call.optional(1) !== undefined) throw call.refusal('delimiters');
      return initialCapitals.call([call.sql(0)]);
    }),
  ),
  trim: trim('trim'),
  ltrim: trim('ltrim'),
  rtrim: trim('rtrim'),
  substr,
  left: textOnly(macro(left)),
  right: textOnly(macro(right)),
  strpos: onText('strpos($1, $2)'),
  instr: textOnly(
    failing((call) => {
      if (call.count > 2) throw call.refusal('a position or an occurrence');
      return template('strpos($1, $2)')(call);
    }),
  ),
  replace: textOnly(
    total(
      (call) =>
        `CASE WHEN ${call.sql(1)} = '' THEN ${call.sql(0)} ELSE ${template('replace($1, $2, $3)')(call)} END`,
    ),
  ),
  reverse: textOnly(macro(reverse)),
  repeat: textOnly(macro(repeat)),
  starts_with: onText('starts_with($1, $2)'),
  ends_with: onText('ends_with($1, $2)'),
  split: textOnly(total((call) => split.call([call.sql(0), call.optional(1)?.sql ?? "','"]))),
  lpad: pad(padLeft),
  rpad: pad(padRight),
  ascii: textOnly(macro(asciiCode)),
  chr: failing(template('chr(CAST($1 AS INTEGER))')),
};
