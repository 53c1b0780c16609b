import type { ServerResponse } from 'node:http';
import { GatewayError } from '../errors.ts';

/** The client closed the connection before it had its answer. Nobody is left to be told. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** The time that a request has, as a signal; disposing of it stops the clock. */
interface Deadline extends Disposable {
  /** Aborted with `QUERY_TIMEOUT` when the time is up, with `ClientGone` when the client leaves. */
  readonly signal: AbortSignal;
}

/** Starts the clock for the request that the response belongs to. Without a time, only leaving ends it. */
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
    [Symbol.dispose]() {
      clearTimeout(timer);
      response.off('close', onClose);
    },
  };
}
