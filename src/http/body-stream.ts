import { GatewayError } from '../errors.ts';
import { ClientGone } from './deadline.ts';
import type { Exchange } from './exchange.ts';

/** What a client is to send while it is waited for, in bytes a second. */
const leastBytesPerSecond = 100;

/**
 * The body piece by piece, at the pace of the reader. Leaving the loop early leaves the connection open for
 * an answer. A client that sends nothing for `pauseTimeoutMs` while it is waited for ends it with an error, and so does one
 * that has sent next to nothing in that time.
 */
export async function* bodyStream(exchange: Exchange, pauseTimeoutMs: number): AsyncGenerator<Uint8Array> {
  const pieces = exchange.openBody().iterator({ destroyOnReturn: false });
  let waitedMs = 0;
  let bytes = 0;
  try {
    while (true) {
      const next = pieces.next().catch(leave);
      const began = performance.now();
      const { value, done } = await beforePauseEnds(next, pauseTimeoutMs);
      if (done) return;
      waitedMs += performance.now() - began;
      bytes += value.length;
      if (waitedMs > pauseTimeoutMs) {
        if (bytes < (waitedMs / 1000) * leastBytesPerSecond) throw tooSlow();
        waitedMs = 0;
        bytes = 0;
      }
      yield value;
    }
  } finally {
    // Not awaited: after a pause the iterator is still busy waiting.
    void pieces.return?.();
  }
}

function leave(): never {
  throw new ClientGone('the connection closed before the body was complete');
}

function tooSlow(): GatewayError {
  const message = `The body came at less than ${leastBytesPerSecond} bytes a second.`;
  return new GatewayError('BAD_USER_INPUT', message);
}

async function beforePauseEnds<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const pause = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const message = `The body paused for more than ${milliseconds} ms.`;
    pause.reject(new GatewayError('BAD_USER_INPUT', message));
  }, milliseconds);
  try {
    return await Promise.race([work, pause.promise]);
  } finally {
    clearTimeout(timer);
  }
}
