import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import type { AnalyzerMethod } from './protocol.ts';
import { messageTypes } from './protocol.ts';

/**
 * The longest answer that is read: half a second's work. A hundred joins of a table of nested records make twice as
 * much, a stored query of nine CTEs a thirtieth (measured).
 */
const maxAnswerBytes = 4 * 1024 * 1024;

/**
 * What a call carries. gRPC and HTTP/2 keep their calls in a Set and a Map, by which everything that a call refers to would outlive it
 * for long (`passing-map.ts` says why): a parcel that was opened is empty.
 */
class Parcel<Content> {
  #content: Content | undefined;

  constructor(content: Content) {
    this.#content = content;
  }

  /** Only once. */
  take(): Content {
    const content = this.#content;
    if (content === undefined) throw new Error('What a call carries was taken already');
    this.#content = undefined;
    return content;
  }
}

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
   * One call. The work inside the analyzer goes on after the deadline: whoever meets it has to end the process.
   *
   * @param deadlineMs milliseconds from now
   * @throws gRPC's `ServiceError`
   */
  async call(method: AnalyzerMethod, request: object, deadlineMs: number): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#send(method, deadlineMs, new Parcel(request), new Parcel({ resolve, reject }));
    return promise;
  }

  /** In a function of its own, whose variables are all that gRPC holds of a call. */
  #send(
    method: AnalyzerMethod,
    deadlineMs: number,
    request: Parcel<object>,
    outcome: Parcel<Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'>>,
  ): void {
    const { path, encode, decode } = messageTypes(method);
    this.#client.makeUnaryRequest(
      path,
      (parcel: Parcel<object>) => encode(parcel.take()),
      (bytes) => new Parcel(decode(bytes)),
      request,
      { deadline: Date.now() + deadlineMs },
      (error: ServiceError | null, answer?: Parcel<unknown>) => {
        const { resolve, reject } = outcome.take();
        if (error) reject(error);
        else resolve(answer?.take());
      },
    );
  }

  close(): void {
    this.#client.close();
  }
}
