import type { GivenParameters } from '../../../definitions/endpoints/parameters/given.ts';

/** What was read of a query string or a body. */
export interface ReadParameters {
  readonly given: GivenParameters;
  /** Keys that mean nothing to the endpoint: some of them, if there are many. */
  readonly ignored: ReadonlySet<string>;
}

export const nothingRead: ReadParameters = { given: new Map(), ignored: new Set() };
