import { stringLiteral } from '../../dialect/literal.ts';
import { fromBase64, fromHex, toBase64, toHex } from '../../macros/encodings.ts';
import { fromBase32, toBase32 } from '../../udf/bytes/base32.ts';
import type { JsFunction } from '../../udf/js/js-function.ts';
import { codePointsToBytes, codePointsToText, toCodePoints } from '../../udf/text/code-points.ts';
import { latinText, repairedText } from '../../udf/text/latin.ts';
import { normalized, normalizedCasefold } from '../../udf/text/normalization.ts';
import { soundex } from '../../udf/text/soundex.ts';
import { type FunctionEntries, guarded, macro, total } from '../call/entry.ts';

/** ASCII is the same in every normal form. */
const normalization = (ofAscii: string, definition: Pick<JsFunction, 'call'>) =>
  total((call) => {
    const value = call.sql(0);
    const mode = call.optional(1) === undefined ? 'NFC' : call.constantText(1, 'mode');
    const other = definition.call([value, stringLiteral(mode)]);
    return `CASE WHEN strlen(${value}) = length(${value}) THEN ${ofAscii}(${value}) ELSE ${other} END`;
  });

/** Conversions between texts and bytes or numbers. */
export const encodingFunctions: FunctionEntries = {
  to_hex: total((call) => toHex.call([call.sql(0)])),
  from_hex: macro(fromHex),
  to_base64: total((call) => toBase64.call([call.sql(0)])),
  from_base64: macro(fromBase64),
  to_base32: macro(toBase32),
  from_base32: macro(fromBase32),
  to_code_points: total((call) => {
    const isBytes = call.types[0]?.kind === 'BYTES';
    return toCodePoints.call([isBytes ? latinText.call([call.sql(0)]) : call.sql(0)]);
  }),
  code_points_to_string: macro(codePointsToText),
  code_points_to_bytes: macro(codePointsToBytes),
  safe_convert_bytes_to_string: macro(repairedText),
  normalize: normalization('', normalized),
  normalize_and_casefold: normalization('lower', normalizedCasefold),
  soundex: guarded((call) => soundex.call([call.sql(0)])),
};
