import { type FunctionEntries, template, total } from './entry.ts';

export const netFunctions: FunctionEntries = {
  'net.host': total(
    template(
      String.raw`nullif(regexp_extract($1, '^(?:[A-Za-z][A-Za-z0-9+.-]*:)?//(?:[^/?#@]*@)?(\[[^\]]*\]|[^:/?#]*)', 1), '')`,
    ),
  ),
};
