import { jsonFlatten } from '../../udf/json/extract-functions.ts';
import { jsonKeys } from '../../udf/text/json-search.ts';
import { type FunctionEntries, guarded, macro } from '../call/entry.ts';

/** Deeper than any JSON value. */
const anyDepth = '9223372036854775807::BIGINT';

export const jsonKeysFunctions: FunctionEntries = {
  json_keys: guarded((call) => {
    const [depth, mode] = [call.given(1)?.sql ?? anyDepth, call.given(2)?.sql ?? "'strict'"];
    return jsonKeys.call([call.sql(0), depth, mode], call.safe);
  }),
  json_flatten: macro(jsonFlatten),
};
