import type { Clock } from '../../base/clock/clock.ts';
import { GatewayError } from '../../base/errors/errors.ts';

/** The deadline of an upload. Disposing of it stops the timer. */
interface UploadDeadline extends Disposable {
  /** Aborted with `QUERY_TIMEOUT` at the deadline. */
  readonly signal: AbortSignal;
}

/** Starts the deadline of an upload. */
export function startUploadDeadline(milliseconds: number, clock: Pick<Clock, 'after'>): UploadDeadline {
  const controller = new AbortController();
  const timer = clock.after(milliseconds, () => {
    const message = `The upload took longer than ${milliseconds} ms. Nothing was imported.`;
    controller.abort(new GatewayError('QUERY_TIMEOUT', message));
  });
  return { signal: controller.signal, [Symbol.dispose]: () => timer.cancel() };
}
