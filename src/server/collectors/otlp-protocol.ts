import { GatewayError } from '../../base/errors/errors.ts';
import { withoutKeys } from '../../calls/access/key/key-text.ts';
import { readMediaType, unsupportedMediaType } from '../http/request/media-type.ts';
import { singleParameter } from '../http/request/query-parameters.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import { type Answer, jsonAnswer } from '../http/response/answer.ts';
import { failureHeaders } from '../http/response/error-answer.ts';
import type { CollectorProtocol, EventForm } from './collector-handler.ts';
import { conflictWarnings, rejectedCount, rejectionText } from './event-notices.ts';

/** The header, besides the parameter `source`, that names the source of records whose resource names none. */
const sourceHeader = 'x-source';

const protobuf = 'application/x-protobuf';

/** The codes of `google.rpc.Status` by HTTP status. Others are UNKNOWN. */
const statusCodes: Readonly<Record<number, number>> = {
  400: 3,
  401: 16,
  403: 7,
  404: 5,
  429: 8,
  500: 13,
  503: 14,
  504: 4,
};
const unknown = 2;

/**
 * `POST /v1/logs`: OTLP over HTTP, https://opentelemetry.io/docs/specs/otlp/#otlphttp. Answers are in the format of the
 * request: `ExportLogsServiceResponse`, or `Status` for failures.
 *
 * @param defaultSource the source of records that name none
 */
export function otlpProtocol(defaultSource: string | undefined): CollectorProtocol {
  return {
    parameters: ['source'],
    form(context, resolve) {
      const { headers } = context.request;
      const type = readMediaType(headers['content-type']);
      const format = formatOf(type?.essence);
      if (format === undefined) {
        const { message } = unsupportedMediaType(type?.header ?? '');
        throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', `${message} Use ${protobuf} or application/json.`);
      }
      const inQuery = singleParameter(new URLSearchParams(context.query), 'source');
      const inHeader = headers[sourceHeader];
      const name = inQuery ?? (typeof inHeader === 'string' ? inHeader : undefined);
      // Not every record needs the default source, so it refuses only those that do.
      return { format, source: name === undefined ? defaultSource : resolve(name), partial: true };
    },
    answer({ rejected, conflicts }, { format }) {
      const count = rejectedCount(rejected);
      // OTLP has no other place for warnings: a partial success without rejected records.
      const texts = [...(count === 0 ? [] : [rejectionText(rejected)]), ...conflictWarnings(conflicts)];
      const text = texts.length === 0 ? undefined : texts.join('; ');
      if (format === 'otlp-json') {
        const partialSuccess = text && { rejectedLogRecords: String(count), errorMessage: text };
        return jsonAnswer(200, JSON.stringify(partialSuccess ? { partialSuccess } : {}));
      }
      const partial =
        text &&
        protobufMessage([
          { field: 1, value: count },
          { field: 2, value: text },
        ]);
      return protobufAnswer(200, partial ? protobufMessage([{ field: 1, value: partial }]) : Buffer.alloc(0));
    },
    refusal(error, context) {
      const headers = failureHeaders(error);
      const code = statusCodes[error.status] ?? unknown;
      const message = withoutKeys(error.message);
      const isProtobuf = formatOf(mediaTypeOf(context)) === 'otlp-protobuf';
      const answer = isProtobuf
        ? protobufAnswer(
            error.status,
            protobufMessage([
              { field: 1, value: code },
              { field: 2, value: message },
            ]),
          )
        : jsonAnswer(error.status, JSON.stringify({ code, message }));
      return { ...answer, headers: { ...answer.headers, ...headers }, error: error.code };
    },
  };
}

function formatOf(essence: string | undefined): Extract<EventForm['format'], `otlp-${string}`> | undefined {
  if (essence === protobuf) return 'otlp-protobuf';
  return essence === 'application/json' ? 'otlp-json' : undefined;
}

function mediaTypeOf({ request }: Pick<RequestContext, 'request'>): string | undefined {
  try {
    return readMediaType(request.headers['content-type'])?.essence;
  } catch {
    return undefined;
  }
}

function protobufAnswer(status: number, body: Buffer): Answer {
  return { status, headers: { 'Content-Type': protobuf, 'Cache-Control': 'private, max-age=0' }, body };
}

/** A field of a message: a whole number that isn't negative, a text, or a message. */
interface ProtobufField {
  readonly field: number;
  readonly value: number | string | Buffer;
}

/**
 * A protobuf message: https://protobuf.dev/programming-guides/encoding/. OTLP's answers have two fields, so they need no
 * library, which would take the process 10 MB.
 */
function protobufMessage(fields: readonly ProtobufField[]): Buffer {
  return Buffer.concat(
    fields.flatMap(({ field, value }) => {
      if (typeof value === 'number') return [varint(field << 3), varint(value)];
      const bytes = Buffer.from(value);
      return [varint((field << 3) | 2), varint(bytes.length), bytes];
    }),
  );
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}
