import { sha512 } from '../../udf/bytes/digests.ts';
import { farmFingerprint } from '../../udf/bytes/farm-fingerprint.ts';
import { type FunctionEntries, total } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';

const digest = (name: string) => total((call) => `unhex(${name}(${call.sql(0)}))`);

/** The argument as BYTES. A text is encoded as UTF-8. */
const bytesOf = (call: FunctionCall) =>
  call.arg(0).type.kind === 'BYTES' ? call.sql(0) : `encode(${call.sql(0)})`;

export const digestFunctions: FunctionEntries = {
  md5: digest('md5'),
  sha1: digest('sha1'),
  sha256: digest('sha256'),
  sha512: total((call) => sha512.call([bytesOf(call)])),
  farm_fingerprint: total((call) => farmFingerprint.call([bytesOf(call)])),
};
