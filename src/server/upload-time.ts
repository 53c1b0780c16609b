import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';

/** The time that an upload has; disposing of it stops the clock. */
interface UploadTime extends Disposable {
  /** Aborted with `QUERY_TIMEOUT` when the time is up. */
  readonly signal: AbortSignal;
}

/** Starts the clock of an upload. */
export function startUploadTime(milliseconds: number, clock: Pick<Clock, 'after'>): UploadTime {
  const controller = new AbortController();
  const timer = clock.after(milliseconds, () => {
    const message = `The upload took longer than ${milliseconds} ms. Nothing was imported.`;
    controller.abort(new GatewayError('QUERY_TIMEOUT', message));
  });
  return { signal: controller.signal, [Symbol.dispose]: () => timer.cancel() };
}
