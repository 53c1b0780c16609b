import { JsonNumber } from '../../../../base/text/json-number.ts';
import { datetimeTextOfMicros } from '../../../../sql/values/value-text.ts';
import type { JsonObject, MutableObject } from '../../encode/field-path.ts';
import { jsonText } from '../../encode/json-text.ts';
import type { LogRecord, ResourceLogs } from './log-record.ts';

/**
 * A log record as an event:
 *
 * | field | holds |
 * |---|---|
 * | `timestamp` | `time_unix_nano`, else `observed_time_unix_nano` |
 * | `event_message` | `body`: a text as it is, everything else as JSON; without a body, the name of the event |
 * | `metadata.severity`, `metadata.severity_number` | `severity_text` (else the name of the number's range), `severity_number` |
 * | `metadata.trace_id`, `metadata.span_id` | in hexadecimal |
 * | `metadata.trace_flags`, `metadata.event_name` | `flags`, `event_name` |
 * | `metadata.attributes`, `metadata.resource` | the attributes of the record and of its resource |
 * | `metadata.scope` | `name`, `version` and `attributes` |
 *
 * What is absent or empty is left out. Names of attributes are names of columns: see `columnNames`.
 */
export function recordEvent(
  record: LogRecord,
  resource: ResourceLogs['resource'],
  { name, version, attributes }: ResourceLogs['scopes'][number]['scope'],
): MutableObject {
  const { timeUnixNano, observedTimeUnixNano, severityNumber, body, eventName } = record;
  const nanos = timeUnixNano || observedTimeUnixNano;
  const scope = present({ name, version, attributes });
  const metadata = present({
    severity: record.severityText || severityName(severityNumber),
    severity_number: severityNumber === 0 ? '' : new JsonNumber(String(severityNumber)),
    trace_id: record.traceId,
    span_id: record.spanId,
    trace_flags: record.flags === 0 ? '' : new JsonNumber(String(record.flags)),
    event_name: eventName,
    attributes: record.attributes,
    resource,
    scope,
  });
  return present({
    timestamp: nanos === 0n ? '' : nanoText(nanos),
    event_message: messageOf(body) || eventName,
    metadata,
  });
}

function messageOf(body: unknown): string {
  if (body === null) return '';
  return typeof body === 'string' ? body : jsonText(body);
}

function nanoText(nanos: bigint): string {
  const seconds = datetimeTextOfMicros((nanos / 1_000_000_000n) * 1_000_000n);
  return `${seconds}.${String(nanos % 1_000_000_000n).padStart(9, '0')}Z`;
}

const ranges = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

/** As the specification's short names, without the number within the range. */
function severityName(number: number): string {
  return number < 1 ? '' : (ranges[Math.floor((number - 1) / 4)] ?? '');
}

/** The members that are neither an empty text nor an empty object. */
function present(members: JsonObject): MutableObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== '' && !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return false;
  return Object.keys(value).length === 0;
}
