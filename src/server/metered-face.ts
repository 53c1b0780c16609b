import type { Clock } from '../clock.ts';
import type { Face } from '../http/exchange.ts';
import type { FaceName, RequestMeter } from '../metrics/request-meter.ts';

/** A face whose answers are told to the meter. What nobody waited for any more was not answered. */
export function meteredFace(name: FaceName, face: Face, meter: RequestMeter, clock: Clock): Face {
  return (exchange) => {
    const began = clock.elapsed();
    return face(exchange)?.finally(() => {
      const { headersSent, statusCode } = exchange.response;
      if (headersSent) meter.request(name, statusCode, (clock.elapsed() - began) / 1000);
    });
  };
}
