/** The part of the gateway that a request is for. */
export type ApiName = 'rest' | 'graphql' | 'other';

/** Is told of requests, for those who watch the gateway. */
export interface RequestMeter {
  /**
   * A request is over.
   *
   * @param status the HTTP status; 499 when the client left before there was one
   * @param seconds from its arrival to the end of its answer; for answers from memory, until they were handed over
   */
  request(api: ApiName, status: number, seconds: number): void;
}
