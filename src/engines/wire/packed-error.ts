import { deserialize, serialize } from 'node:v8';
import { type ErrorCode, GatewayError } from '../../base/errors/errors.ts';
import { AnalyzerOverwhelmedError, AnalyzerUnavailableError } from '../../sql/analyzer/error.ts';
import { UnsupportedError } from '../../sql/resolved/unsupported.ts';
import { StoreError, type StoreErrorKind } from '../duckdb/store/file/store-error.ts';

/** Thrown when the engine process doesn't store the plan of a run, or no longer does. */
export class UnknownPlanError extends Error {
  override readonly name = 'UnknownPlanError';
}

interface PackedError {
  readonly type:
    | 'gateway'
    | 'unsupported'
    | 'store'
    | 'unknown plan'
    | 'analyzer unavailable'
    | 'analyzer overwhelmed'
    | 'defect';
  readonly message: string;
  readonly code?: ErrorCode;
  readonly details?: Omit<GatewayError['details'], 'cause'>;
  readonly byteOffset?: number | undefined;
  readonly kind?: StoreErrorKind;
  readonly holder?: number | undefined;
  /** The cause, for the log. */
  readonly cause?: string;
}

/** Serializes an error for another process or thread. Its cause becomes a text. */
export function packError(error: unknown): Buffer {
  return serialize(described(error));
}

function described(error: unknown): PackedError {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UnknownPlanError) return { type: 'unknown plan', message };
  if (error instanceof UnsupportedError)
    return { type: 'unsupported', message, byteOffset: error.byteOffset };
  if (error instanceof StoreError)
    return { type: 'store', message, kind: error.kind, holder: error.holder, ...causeOf(error) };
  if (error instanceof AnalyzerOverwhelmedError)
    return { type: 'analyzer overwhelmed', message, ...causeOf(error) };
  if (error instanceof AnalyzerUnavailableError)
    return { type: 'analyzer unavailable', message, ...causeOf(error) };
  if (!(error instanceof GatewayError)) return { type: 'defect', message, ...causeOf({ cause: error }) };
  const { cause: _, ...details } = error.details;
  return { type: 'gateway', message, code: error.code, details, ...causeOf(error) };
}

function causeOf({ cause }: { readonly cause?: unknown }): { readonly cause?: string } {
  if (cause === undefined) return {};
  return { cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) };
}

/** Deserializes an error. */
export function unpackError(payload: Uint8Array): Error {
  const { type, message, code, details, byteOffset, kind, holder, cause } = deserialize(
    payload,
  ) as PackedError;
  if (type === 'unknown plan') return new UnknownPlanError(message);
  if (type === 'unsupported') return new UnsupportedError(message, byteOffset);
  if (type === 'store' && kind !== undefined) return new StoreError(kind, message, cause, holder);
  if (type === 'analyzer overwhelmed') return new AnalyzerOverwhelmedError(message, { cause });
  if (type === 'analyzer unavailable') return new AnalyzerUnavailableError(message, { cause });
  if (type === 'gateway' && code !== undefined)
    return new GatewayError(code, message, { ...details, ...(cause !== undefined && { cause }) });
  return new Error(message, { cause });
}

/** Why the signal of a call of another process or thread is aborted. */
export function cancelledCall(): GatewayError {
  return new GatewayError('QUERY_TIMEOUT', 'The query was cancelled');
}
