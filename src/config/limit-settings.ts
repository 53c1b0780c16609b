import { z } from 'zod';
import { parseRate, rateExpected } from '../access/forms/rate.ts';
import { integer } from './forms.ts';
import { setting } from './setting.ts';

/** `10/s`, `600/m`, `5000/h`, or `none`. */
function rate(defaultText: string) {
  return z
    .string()
    .default(defaultText)
    .transform((text, context) => {
      const parsed = text === 'none' ? undefined : parseRate(text);
      if (text === 'none' || parsed !== undefined) return parsed;
      context.addIssue({ code: 'custom', message: `${rateExpected}, or none` });
      return z.NEVER;
    });
}

/** How much callers may ask for, and what they may take up. */
export const limitSettings = {
  rateLimitPerAddress: setting(
    'RATE_LIMIT_PER_ADDRESS',
    rate('none'),
    'none',
    'requests that one address may make, such as `100/s`; an IPv6 address counts by its first 64 bits',
  ),
  rateLimitFailedKeys: setting(
    'RATE_LIMIT_FAILED_KEYS',
    rate('20/s'),
    '20/s',
    'keys that are no good that one address may try; three times as many at once, and `none` for any number',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    integer(0, 0, 10),
    '0',
    'proxies in front, whose entries in `X-Forwarded-For` are believed',
  ),
  maxConnections: setting(
    'MAX_CONNECTIONS',
    integer(10_000, 1, 1_000_000),
    '10000',
    'connections at the same time; further ones are closed at once',
  ),
  uploadTimeoutMs: setting(
    'UPLOAD_TIMEOUT_MS',
    integer(3_600_000, 1, 604_800_000),
    '3600000',
    'milliseconds that an upload of rows may take as a whole; one that takes longer imports nothing',
  ),
  uploadMinBytesPerSecond: setting(
    'UPLOAD_MIN_BYTES_PER_SECOND',
    integer(1000, 1, 1_000_000_000),
    '1000',
    'lowest pace of an upload, in bytes a second as they are sent, over each 30 seconds that the gateway waits for them',
  ),
};
