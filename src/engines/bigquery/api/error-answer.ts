import { z } from 'zod';
import { parsedJson } from '../../../base/text/parsed-json.ts';
import { ApiError, type ErrorProto } from './api-error.ts';

/** Google's form of errors: https://cloud.google.com/apis/design/errors#http_mapping, with BigQuery's `errors`. */
const errorAnswer = z.object({
  error: z.object({
    message: z.string().catch(''),
    errors: z
      .array(
        z.object({
          reason: z.string().catch(''),
          message: z.string().catch(''),
          location: z.string().optional().catch(undefined),
        }),
      )
      .catch([]),
  }),
});

/**
 * The error in a response with an error status. Proxies respond in other forms; then only the status is known.
 *
 * @param now milliseconds since the epoch
 */
export function errorOfAnswer(status: number, headers: Headers, body: string, now: number): ApiError {
  return new ApiError(status, readError(status, body), retryAfterSeconds(headers.get('retry-after'), now));
}

function readError(status: number, body: string): ErrorProto {
  const parsed = errorAnswer.safeParse(parsedJson(body));
  if (!parsed.success)
    return { reason: '', message: `HTTP status ${status}, without an error of BigQuery's` };
  const { message, errors } = parsed.data.error;
  const [first] = errors;
  const proto = {
    reason: first?.reason ?? '',
    message: first?.message || message || `HTTP status ${status}`,
  };
  return first?.location === undefined ? proto : { ...proto, location: first.location };
}

/** Parses seconds or a date: RFC 9110, 10.2.3. Undefined for anything else. */
function retryAfterSeconds(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
