import type { MessagePort, Worker } from 'node:worker_threads';
import { kinds, type Transport } from './channel.ts';

const movedWith = new WeakMap<object, readonly ArrayBuffer[]>();

/** Marks an argument or a result of a call to another thread: these buffers of it move there, instead of being copied. */
export function moving<Content extends object>(content: Content, buffers: readonly ArrayBuffer[]): Content {
  movedWith.set(content, buffers);
  return content;
}

/** Messages between threads. */
export function portTransport(port: MessagePort | Worker): Transport {
  return {
    post(message) {
      const contents = message.kind === kinds.call ? message.content.args : [message.content];
      port.postMessage(message, contents.flatMap(buffersOf));
      return undefined;
    },
    listen: (take) => void port.on('message', take),
  };
}

function buffersOf(content: unknown): readonly ArrayBuffer[] {
  return (typeof content === 'object' && content !== null && movedWith.get(content)) || [];
}
