import type { AnsweredCall, GraphqlContext } from '../execution/context.ts';
import type { ResponseType } from './accept.ts';
import type { LargeParts } from './large-parts.ts';
import type { OperationRequest } from './read-operations.ts';

/** The context that yoga gets with a request. Yoga copies it, so it has only one member. */
export interface YogaContext {
  readonly asked: GraphqlRequest;
}

/** A request after parsing. */
export interface GraphqlRequest {
  readonly method: string;
  readonly type: ResponseType;
  readonly operations: OperationRequest | OperationRequest[];
  readonly requestId: string;
  readonly large: LargeParts;
  /** What the resolvers of all its operations share. */
  readonly context: Omit<GraphqlContext, 'answered'>;
  /** Caches the response to the operation. `data` is its part `data`, as JSON. */
  keep(data: string, calls: readonly AnsweredCall[]): void;
}
