import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import { loopWork } from '../loop/loop-work.ts';
import { readFrames } from '../processes/frame-reader.ts';
import { FrameWriter } from '../processes/frame-writer.ts';
import { MemoryPool } from '../processes/memory-pool.ts';
import { kinds, type Message, type Transport } from './channel.ts';

/** Maximum size of a message, in bytes: a chunk with one row of maximum size. */
const maxPayloadBytes = 1 << 30;

/** Messages between processes: frames over a socket. Contents other than bytes are serialized by V8. */
export class FrameTransport implements Transport {
  /** The memory of bytes that functions are called with. It is released when they are written, and when they are read. */
  readonly pool = new MemoryPool();
  readonly #connection: Socket;
  readonly #writer: FrameWriter;

  constructor(connection: Socket) {
    this.#connection = connection;
    this.#writer = new FrameWriter(connection);
  }

  post(message: Message): Promise<void> | undefined {
    const { kind, id } = message;
    const payload = isRaw(message)
      ? message.content
      : loopWork.step('serialising a message', () => serialize(message.content));
    const whenWritten = kind === kinds.bytes ? () => this.pool.release(payload) : undefined;
    try {
      return this.#writer.send({ kind, id, payload }, whenWritten)?.catch(() => {});
    } catch {
      return undefined;
    }
  }

  listen(take: (message: Message) => void): void {
    const allocate = (bytes: number, kind: number) =>
      kind === kinds.bytes ? this.pool.take(bytes) : Buffer.allocUnsafeSlow(bytes);
    readFrames(this.#connection, { maxPayloadBytes, allocate }, ({ kind, id, payload }) =>
      loopWork.step('taking a message', () =>
        // The other side has sent such a message.
        take({ kind, id, content: isRaw({ kind }) ? payload : deserialize(payload) } as Message),
      ),
    );
  }

  release(bytes: Uint8Array): void {
    this.pool.release(bytes);
  }
}

type Raw = Extract<Message, { readonly content: Uint8Array }>;

/** Whether the content is bytes. */
function isRaw(message: { readonly kind: number }): message is Raw {
  const { kind } = message;
  return kind === kinds.piece || kind === kinds.bytes || kind === kinds.error;
}
