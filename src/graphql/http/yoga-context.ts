import type { AnsweredCall, GraphqlContext } from '../context.ts';
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
  /** What the resolvers of all its operations share. */
  readonly context: Omit<GraphqlContext, 'calls'>;
  /** Caches the answer to its operation, whose part `data` this is, as JSON. */
  keep(data: string, calls: readonly AnsweredCall[]): void;
}
