import type { ServerResponse } from 'node:http';
import { GatewayError } from '../../../base/errors/errors.ts';

/** Thrown when the client closes the connection before its answer, which nobody can receive then. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** The deadline of a request. Disposing of it stops the timer. */
export interface Deadline extends Disposable {
  /** Aborted with `QUERY_TIMEOUT` at the deadline, with `ClientGone` when the client leaves. */
  readonly signal: AbortSignal;
  /** Removes the time limit: the response takes as long as its client. */
  lift(): void;
}

/** Starts the deadline of a response's request. Without `milliseconds`, it ends only when the client leaves. */
export function startDeadline(response: ServerResponse, milliseconds?: number): Deadline {
  const controller = new AbortController();
  const onClose = () => {
    if (!response.writableFinished) controller.abort(new ClientGone('the client closed the connection'));
  };
  const onTimeout = () => {
    const message = `The request timed out after ${milliseconds} ms.`;
    controller.abort(new GatewayError('QUERY_TIMEOUT', message));
  };
  response.once('close', onClose);
  const timer = milliseconds === undefined ? undefined : setTimeout(onTimeout, milliseconds);
  return {
    signal: controller.signal,
    lift: () => clearTimeout(timer),
    [Symbol.dispose]() {
      clearTimeout(timer);
      response.off('close', onClose);
    },
  };
}
