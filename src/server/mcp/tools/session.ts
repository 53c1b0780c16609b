import type { GatewayError } from '../../../base/errors/errors.ts';
import type { Caller } from '../../../calls/access/caller/caller.ts';
import type { Payer } from '../../../calls/call/payer.ts';
import type { CallParts } from '../../../calls/call.ts';
import type { CallLogFields } from '../../../calls/call-log.ts';
import type { SchemaShape } from '../../graphql/shape/shape.ts';

/** What tools need of the gateway. */
export interface McpParts {
  /** The current endpoints. */
  readonly shape: SchemaShape;
  readonly calls: CallParts;
}

/** One caller's session: a request over HTTP, or a connection over standard input and output. */
export interface McpSession {
  readonly caller: Caller;
  readonly payer: Payer;
  /** Counts memory of rows until the result is disposed of. */
  readonly hold?: (memory: object, bytes: number) => Disposable;
  /** Whether the caller asks for redaction or its key requires it. */
  readonly redacts: boolean;
  readonly logFields: CallLogFields;
  /**
   * Runs a call within its time.
   *
   * @param cancelled aborted when the client cancels the call
   */
  withinTime<T>(cancelled: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** The error to show to the caller. A defect is logged. */
  disclose(thrown: unknown): GatewayError;
}
