/** The part of the gateway that answered a request. */
export type FaceName = 'rest' | 'graphql' | 'other';

/** Is told of requests, for those who watch the gateway. */
export interface RequestMeter {
  /**
   * A request was answered.
   *
   * @param status the HTTP status
   * @param seconds from its arrival until its answer was handed over to be sent
   */
  request(face: FaceName, status: number, seconds: number): void;
}

/** Nobody watches. */
export const noRequestMeter: RequestMeter = { request: () => {} };
