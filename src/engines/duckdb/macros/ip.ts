import { ipFromString } from '../udf/net/ip-address.ts';
import { Macro } from './macro.ts';

const byte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const parts = [1, 2, 3, 4].map((part) => `TRY_CAST(split_part(s, '.', ${part}) AS INTEGER)`);

/** NET.IP_FROM_STRING. Addresses of version 4 need no JavaScript. */
export const bytesOfIp = new Macro(
  'bytes_of_ip',
  ['s'],
  (mode) => `CASE WHEN regexp_full_match(s, '(?:${byte}\\.){3}${byte}')
    THEN unhex(printf('%02x%02x%02x%02x', ${parts.join(', ')})) ELSE ${mode.call(ipFromString, 's')} END`,
);

export const ipMacros = [bytesOfIp];
