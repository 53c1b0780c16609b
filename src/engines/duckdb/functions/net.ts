import { raise } from '../macros/macro.ts';
import { type FunctionEntries, failing } from './entry.ts';

/** Of a URL with `//`. What NET.HOST finds in other texts follows rules of its own, so those are an error. */
const url = String.raw`^(?:[A-Za-z][A-Za-z0-9+.-]*:)?//(?:[^/?#@]*@)?(\[[^\]]*\]|[^:/?#]*)`;

export const netFunctions: FunctionEntries = {
  'net.host': failing((call) => {
    const text = call.sql(0);
    return `CASE WHEN ${text} IS NULL THEN NULL WHEN regexp_matches(${text}, '${url}')
      THEN nullif(regexp_extract(${text}, '${url}', 1), '')
      ELSE ${raise("'NET.HOST of a text without // is not supported'", 'VARCHAR')} END`;
  }),
};
