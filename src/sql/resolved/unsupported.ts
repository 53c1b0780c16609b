import { GatewayError } from '../../errors.ts';

/** A construct of GoogleSQL that is understood but not offered. */
export class UnsupportedError extends GatewayError {
  /** Where the construct starts, in UTF-8 bytes of the analyzed text; undefined when that isn't known. */
  readonly byteOffset: number | undefined;

  constructor(message: string, byteOffset: number | undefined) {
    super('QUERY_FAILED', message);
    this.byteOffset = byteOffset;
  }
}

/** The error for a construct of GoogleSQL that is understood but not offered. `construct` names it. */
export function unsupported(construct: string, byteOffset?: number): UnsupportedError {
  return new UnsupportedError(`Not supported: ${construct}`, byteOffset);
}

/** The error as it is; a refusal that doesn't know its place gets this one. */
export function placed(error: unknown, byteOffset: number | undefined): unknown {
  if (!(error instanceof UnsupportedError) || error.byteOffset !== undefined) return error;
  return byteOffset === undefined ? error : new UnsupportedError(error.message, byteOffset);
}
