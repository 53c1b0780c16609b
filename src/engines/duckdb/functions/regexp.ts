import { regexpExtract, regexpExtractOptional } from '../macros/text.ts';
import { captureOf } from './capture-group.ts';
import { type FunctionEntries, failing, template, textOnly } from './entry.ts';
import type { FunctionCall } from './function-call.ts';

/** Both sides use RE2, so patterns mean the same. */
function extractOne(call: FunctionCall): string {
  const pattern = call.constantText(1, 'regular expression');
  const capture = captureOf(pattern, call);
  const args = [call.sql(0), call.sql(1), capture.group];
  return capture.optional ? regexpExtractOptional.call(args) : regexpExtract.call(args);
}

function extractAll(call: FunctionCall): string {
  const capture = captureOf(call.constantText(1, 'regular expression'), call);
  if (capture.optional) throw call.refusal('a group that can be absent from a match');
  return `regexp_extract_all(${call.sql(0)}, ${call.sql(1)}, ${capture.group})`;
}

export const regexpFunctions: FunctionEntries = {
  regexp_contains: textOnly(failing(template('regexp_matches($1, $2)'))),
  regexp_extract: textOnly(failing(extractOne)),
  regexp_substr: textOnly(failing(extractOne)),
  regexp_extract_all: textOnly(failing(extractAll)),
  regexp_replace: textOnly(failing(template("regexp_replace($1, $2, $3, 'g')"))),
};
