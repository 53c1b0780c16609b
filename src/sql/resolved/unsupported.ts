import { GatewayError, type TextLocation } from '../../base/errors/errors.ts';

/** Thrown for a GoogleSQL construct that is understood but not supported. */
export class UnsupportedError extends GatewayError {
  /** The start of the construct, in UTF-8 bytes of the analyzed text. Undefined if unknown. */
  readonly byteOffset: number | undefined;

  /** @param location in the caller's own query, if the text is one */
  constructor(message: string, byteOffset: number | undefined, location?: TextLocation) {
    super('QUERY_FAILED', message, location && { location });
    this.byteOffset = byteOffset;
  }
}

/** The error for a GoogleSQL construct that is understood but not supported. `construct` names it. */
export function unsupported(construct: string, byteOffset?: number): UnsupportedError {
  return new UnsupportedError(`Not supported: ${construct}`, byteOffset);
}

/** Adds a position to a refusal that has none. Returns any other error unchanged. */
export function placed(error: unknown, byteOffset: number | undefined): unknown {
  if (!(error instanceof UnsupportedError) || error.byteOffset !== undefined) return error;
  return byteOffset === undefined ? error : new UnsupportedError(error.message, byteOffset);
}
