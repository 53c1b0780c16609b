import type { GraphqlContext } from '../context.ts';
import type { ResponseType } from './accept.ts';
import type { OperationRequest } from './read-operations.ts';

/** What yoga is given with a request: copying it must take no time, so it has one member. */
export interface YogaContext {
  readonly asked: GraphqlRequest;
}

/** A request, as it was read. */
export interface GraphqlRequest {
  readonly method: string;
  readonly type: ResponseType;
  readonly operations: OperationRequest | OperationRequest[];
  readonly requestId: string;
  /** What a ready answer is kept under; undefined where none is to be kept. */
  readonly readyKey?: string | undefined;
  /** What the resolvers of all its operations share. */
  readonly context: Omit<GraphqlContext, 'calls'>;
}
