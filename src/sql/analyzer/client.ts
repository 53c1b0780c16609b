import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import type { AnalyzerMethod } from './protocol.ts';
import { messageTypes } from './protocol.ts';

/**
 * The longest accepted response, which takes half a second to read. A hundred joins of a table of nested records make
 * twice as much, a stored query of nine CTEs a thirtieth (measured).
 */
const maxAnswerBytes = 4 * 1024 * 1024;

/** A connection to one analyzer process. */
export class AnalyzerClient {
  readonly #client: Client;

  constructor(address: string) {
    this.#client = new Client(address, credentials.createInsecure(), {
      'grpc.max_receive_message_length': maxAnswerBytes,
      'grpc.max_send_message_length': -1,
      // By default, all clients of one address share a connection.
      'grpc.use_local_subchannel_pool': 1,
    });
  }

  /**
   * Makes one call. The analyzer continues to work after the deadline, so the process must be ended when it passes. It
   * also continues after gRPC cancels the call (measured): a cancelled call is awaited as well, but its response is
   * ignored.
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
