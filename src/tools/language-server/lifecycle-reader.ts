import {
  type DataCallback,
  type Disposable,
  ErrorCodes,
  type Message,
  type MessageReader,
  type MessageWriter,
  type ResponseError,
} from 'vscode-languageserver-protocol';

type State = 'new' | 'initialized' | 'shut down';

/**
 * Passes on the messages that the protocol allows at their time. Other requests are refused, other notifications ignored.
 *
 * Source: https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#lifeCycleMessages
 */
export class LifecycleReader implements MessageReader {
  readonly #reader: MessageReader;
  readonly #writer: Pick<MessageWriter, 'write'>;
  #state: State = 'new';

  constructor(reader: MessageReader, writer: Pick<MessageWriter, 'write'>) {
    this.#reader = reader;
    this.#writer = writer;
  }

  /** Whether the client has asked to shut down: then the exit is a success. */
  get isShutDown(): boolean {
    return this.#state === 'shut down';
  }

  get onError(): MessageReader['onError'] {
    return this.#reader.onError;
  }

  get onClose(): MessageReader['onClose'] {
    return this.#reader.onClose;
  }

  get onPartialMessage(): MessageReader['onPartialMessage'] {
    return this.#reader.onPartialMessage;
  }

  listen(callback: DataCallback): Disposable {
    return this.#reader.listen((message) => {
      const { method, id } = message as Message & {
        readonly method?: unknown;
        readonly id?: number | string;
      };
      // A response to a request of the server.
      if (typeof method !== 'string') return callback(message);
      const refusal = this.#refusal(method);
      if (refusal === undefined) {
        if (method === 'initialize') this.#state = 'initialized';
        if (method === 'shutdown') this.#state = 'shut down';
        return callback(message);
      }
      if (id === undefined || id === null) return undefined;
      const response = { jsonrpc: '2.0', id, error: refusal };
      // A client that has left can't be told.
      void this.#writer.write(response as Message).catch(() => undefined);
    });
  }

  dispose(): void {
    this.#reader.dispose();
  }

  #refusal(method: string): Pick<ResponseError<void>, 'code' | 'message'> | undefined {
    if (method === 'exit') return undefined;
    switch (this.#state) {
      case 'new':
        if (method === 'initialize') return undefined;
        return { code: ErrorCodes.ServerNotInitialized, message: 'the first request must be initialize' };
      case 'initialized':
        if (method !== 'initialize') return undefined;
        return { code: ErrorCodes.InvalidRequest, message: 'the server is initialized already' };
      case 'shut down':
        return { code: ErrorCodes.InvalidRequest, message: 'the server has been shut down' };
    }
  }
}
