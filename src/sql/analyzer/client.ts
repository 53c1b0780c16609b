import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import type { AnalyzerMethod } from './protocol.ts';
import { messageTypes } from './protocol.ts';

/**
 * The longest answer that is read: half a second's work. A hundred joins of a table of nested records make twice as
 * much, a stored query of nine CTEs a thirtieth (measured).
 */
const maxAnswerBytes = 4 * 1024 * 1024;

/** A connection to one analyzer process. */
export class AnalyzerClient {
  readonly #client: Client;

  constructor(address: string) {
    this.#client = new Client(address, credentials.createInsecure(), {
      'grpc.max_receive_message_length': maxAnswerBytes,
      'grpc.max_send_message_length': -1,
      // Otherwise all clients of one address share one connection.
      'grpc.use_local_subchannel_pool': 1,
    });
  }

  /**
   * One call. The work inside the analyzer goes on after the deadline: whoever meets it has to end the process. It also goes on when
   * gRPC cancels the call (measured), so a cancelled one is waited for as well, but its answer isn't read.
   *
   * @param deadlineMs milliseconds from now
   * @throws gRPC's `ServiceError`
   */
  async call(
    method: AnalyzerMethod,
    request: object,
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<unknown> {
    const { path, encode, decode } = messageTypes(method);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#client.makeUnaryRequest(
      path,
      encode,
      (bytes) => (signal.aborted ? undefined : decode(bytes)),
      request,
      { deadline: Date.now() + deadlineMs },
      (error: ServiceError | null, answer: unknown) => (error ? reject(error) : resolve(answer)),
    );
    return promise;
  }

  close(): void {
    this.#client.close();
  }
}
