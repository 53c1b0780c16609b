import type { ApiName } from '../../http/route.ts';

/** Counts requests for metrics. */
export interface RequestMeter {
  /**
   * Counts a request when it ends.
   *
   * @param status the HTTP status; 499 if the client left before there was one
   * @param seconds from its arrival to the end of its answer; for cached answers, until they were handed to the system
   */
  request(api: ApiName, status: number, seconds: number): void;
  /** Counts a failed request that was for an endpoint. */
  failed(endpoint: string, code: string): void;
}
