import type { JsonObject } from '../../encode/field-path.ts';

/** The log records of a request, with what their resource and scope say. */
export interface ResourceLogs {
  /** Attributes of the resource. Numbers are `JsonNumber`s. */
  readonly resource: JsonObject;
  readonly scopes: readonly ScopeLogs[];
}

interface ScopeLogs {
  readonly scope: Scope;
  readonly records: readonly LogRecord[];
}

interface Scope {
  readonly name: string;
  readonly version: string;
  readonly attributes: JsonObject;
}

/** A log record, with absent fields as their defaults in protobuf. */
export interface LogRecord {
  /** Nanoseconds since 1970; 0 if unknown. */
  readonly timeUnixNano: bigint;
  readonly observedTimeUnixNano: bigint;
  readonly severityNumber: number;
  readonly severityText: string;
  /** Null if absent. Numbers are `JsonNumber`s. */
  readonly body: unknown;
  readonly attributes: JsonObject;
  readonly flags: number;
  /** In lower-case hexadecimal; empty if absent. */
  readonly traceId: string;
  readonly spanId: string;
  readonly eventName: string;
}
