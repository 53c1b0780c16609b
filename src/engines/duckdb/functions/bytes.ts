import { type FunctionEntries, failing, template, total } from './entry.ts';
import type { FunctionCall } from './function-call.ts';

const digest = (name: string) => total((call: FunctionCall) => `unhex(${name}(${call.sql(0)}))`);

export const bytesFunctions: FunctionEntries = {
  md5: digest('md5'),
  sha1: digest('sha1'),
  sha256: digest('sha256'),
  to_hex: total(template('lower(hex($1))')),
  from_hex: failing(template('unhex($1)')),
  to_base64: total(template('to_base64($1)')),
  from_base64: failing(template('from_base64($1)')),
};
