import { z } from 'zod';
import { parseRate, rateExpected } from '../../base/forms/rate.ts';
import { integer, setting } from './setting.ts';

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

/** Limits on requests, connections and uploads. */
export const limitSettings = {
  rateLimitPerAddress: setting(
    'RATE_LIMIT_PER_ADDRESS',
    rate('none'),
    'none',
    'Maximum request rate per IP address, such as `100/s`. IPv6 addresses are grouped by their first 64 bits.',
  ),
  rateLimitFailedKeys: setting(
    'RATE_LIMIT_FAILED_KEYS',
    rate('20/s'),
    '20/s',
    'Maximum rate of failed authentication attempts per IP address, with bursts of three times that number. `none` disables the limit.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    integer(0, 0, 10),
    '0',
    'Number of proxies in front of the gateway whose `X-Forwarded-For` entries are trusted.',
  ),
  maxConnections: setting(
    'MAX_CONNECTIONS',
    integer(10_000, 1, 1_000_000),
    '10000',
    'Maximum number of open connections. Further connections are closed immediately.',
  ),
  liveMaxStreams: setting(
    'LIVE_MAX_STREAMS',
    integer(5000, 1, 1_000_000),
    '5000',
    'Maximum number of open [live answers](live.md).',
  ),
  liveMaxStreamsPerKey: setting(
    'LIVE_MAX_STREAMS_PER_KEY',
    integer(2000, 1, 1_000_000),
    '2000',
    'Maximum number of open live answers of one API key.',
  ),
  liveMaxQueries: setting(
    'LIVE_MAX_QUERIES',
    integer(200, 1, 100_000),
    '200',
    'Maximum number of different queries that live answers keep up to date, and of different tails. [Keys share](limits.md#shares-of-keys) them.',
  ),
  exportTimeoutMs: setting(
    'EXPORT_TIMEOUT_MS',
    integer(3_600_000, 1, 604_800_000),
    '3600000',
    'Time limit of an export of more rows than `maxRows`, in milliseconds, including the time that the client takes to read it.',
  ),
  uploadTimeoutMs: setting(
    'UPLOAD_TIMEOUT_MS',
    integer(3_600_000, 1, 604_800_000),
    '3600000',
    'Time limit of an upload of rows, in milliseconds. An upload that takes longer imports nothing.',
  ),
  uploadMinBytesPerSecond: setting(
    'UPLOAD_MIN_BYTES_PER_SECOND',
    integer(1000, 1, 1_000_000_000),
    '1000',
    'Minimum speed of an upload, in bytes per second as sent, measured over every 30 seconds that the gateway waits for data.',
  ),
};
