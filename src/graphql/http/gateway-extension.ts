import type { Plugin } from 'graphql-yoga';
import type { Clock } from '../../clock.ts';
import type { GraphqlContext } from '../context.ts';
import { type CallReport, callReport } from './call-report.ts';
import type { SchemaAnswers } from './ready-answers.ts';

/** What an answer says about its request, in `extensions.gateway`. */
interface GatewayExtension {
  readonly requestId: string;
  /** In the order in which they were answered. */
  readonly calls: readonly CallReport[];
}

/** What the answer to one operation is made with. */
export interface OperationContext extends GraphqlContext, Pick<GatewayExtension, 'requestId'> {
  /** What a ready answer is kept under; undefined for an operation of a batch. */
  readonly readyKey?: string;
}

/** @param now in milliseconds since the epoch */
export function gatewayExtension(
  { requestId, calls }: OperationContext,
  now: number,
): { gateway: GatewayExtension } {
  return { gateway: { requestId, calls: calls.map((call) => callReport(call, now)) } };
}

/** Has yoga add the extension to its answers, and keeps those that can be given again. */
export function reports(clock: Clock, ready: SchemaAnswers): Plugin<OperationContext> {
  return {
    onExecute({ args: { contextValue } }) {
      return {
        onExecuteDone({ result, setResult }) {
          if (Symbol.asyncIterator in result) return;
          const { errors, data } = result;
          const { readyKey, calls, isOnlyForNow } = contextValue;
          if (readyKey !== undefined && errors === undefined && !isOnlyForNow) {
            ready.keep(readyKey, calls, () => JSON.stringify(data));
          }
          const extensions = { ...result.extensions, ...gatewayExtension(contextValue, clock.now()) };
          setResult({ ...result, extensions });
        },
      };
    },
  };
}
