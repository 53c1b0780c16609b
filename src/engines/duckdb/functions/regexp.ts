import { regexpExtract, regexpExtractOptional } from '../macros/text.ts';
import { orBytes } from './bytes-as-text.ts';
import { canBeEmpty, captureOf, countGroups } from './capture-group.ts';
import { type FunctionEntries, failing, template } from './entry.ts';
import type { FunctionCall } from './function-call.ts';

/** Both sides use RE2, so patterns mean the same. */
function extractOne(call: FunctionCall): string {
  const pattern = call.constantText(1, 'regular expression');
  const capture = captureOf(pattern, call);
  const args = [call.sql(0), call.sql(1), capture.group];
  return capture.isNeverEmpty ? regexpExtractOptional.call(args) : regexpExtract.call(args);
}

function extractAll(call: FunctionCall): string {
  const pattern = call.constantText(1, 'regular expression');
  const capture = captureOf(pattern, call);
  // After the last match DuckDB finds an empty one more.
  if (canBeEmpty(pattern)) throw call.refusal('a regular expression that matches nothing');
  if (capture.optional) throw call.refusal('a group that can be absent from a match');
  return `regexp_extract_all(${call.sql(0)}, ${call.sql(1)}, ${capture.group})`;
}

/** DuckDB leaves a text as it is when the replacement refers to a group that isn't there; that is an error. */
function replaceAll(call: FunctionCall): string {
  const pattern = call.constantText(1, 'regular expression');
  const replacement = call.constant(2, 'replacement');
  const references = String(replacement ?? '').matchAll(/\\(.?)/gs);
  for (const [whole, name = ''] of references) {
    if (name !== '\\' && !(/\d/.test(name) && Number(name) <= countGroups(pattern))) {
      throw call.refusal(`the reference ${whole} in the replacement`);
    }
  }
  return template("regexp_replace($1, $2, $3, 'g')")(call);
}

export const regexpFunctions: FunctionEntries = {
  regexp_contains: orBytes(failing(template('regexp_matches($1, $2)'))),
  regexp_extract: orBytes(failing(extractOne)),
  regexp_extract_all: orBytes(failing(extractAll)),
  regexp_replace: orBytes(failing(replaceAll)),
};
