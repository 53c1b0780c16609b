import type { Readable, Writable } from 'node:stream';
import { ErrorCodes, type Message } from 'vscode-languageserver-protocol';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { type LanguageServerOptions, languageServer } from './language-server.ts';
import { LifecycleReader } from './lifecycle-reader.ts';

/** Milliseconds between two looks at whether the client is there. */
const lookAgainMs = 3_000;

interface StreamOptions extends Omit<LanguageServerOptions, 'onClient' | 'onExit'> {
  readonly input: Readable;
  /** Carries messages and nothing else. */
  readonly output: Writable;
  /** Whether there is a process with this id. */
  readonly isAlive: (processId: number) => boolean;
}

/**
 * Serves one client over two streams, until it asks the server to exit, closes a stream or ends.
 *
 * @returns the exit code: 0 if the client has asked for a shutdown before, 1 if not
 */
export async function serveStreams({ input, output, isAlive, ...options }: StreamOptions): Promise<number> {
  const writer = new StreamMessageWriter(output);
  const messages = new StreamMessageReader(input);
  // Its timer would keep the process alive while a part of a message is missing, even after the stream's end.
  messages.partialMessageTimeout = 0;
  const reader = new LifecycleReader(messages, writer);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const look = (processId: number) => {
    if (!isAlive(processId)) end();
    else options.clock.after(lookAgainMs, () => look(processId));
  };
  const server = languageServer((logger) => createProtocolConnection(reader, writer, logger), {
    ...options,
    onClient: look,
    onExit: () => end(),
  });
  reader.onError(({ message }) => {
    // What is no message can't be answered by its id.
    const error = { code: ErrorCodes.ParseError, message };
    void writer.write({ jsonrpc: '2.0', id: null, error } as Message).catch(() => undefined);
  });
  for (const stream of [input, output]) {
    for (const event of ['end', 'close', 'error'] as const) stream.on(event, () => end());
  }
  await ended;
  await server.close();
  input.destroy();
  return reader.isShutDown ? 0 : 1;
}
