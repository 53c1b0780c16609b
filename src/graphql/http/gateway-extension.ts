import type { Plugin } from 'graphql-yoga';
import type { CallReport, GraphqlContext } from '../context.ts';

/** What an answer says about its request, in `extensions.gateway`. */
export interface GatewayExtension {
  readonly requestId: string;
  /** In the order in which they were answered. */
  readonly calls: readonly CallReport[];
}

type Reported = Pick<GraphqlContext, 'calls'> & Pick<GatewayExtension, 'requestId'>;

export function gatewayExtension({ requestId, calls }: Reported): { gateway: GatewayExtension } {
  return { gateway: { requestId, calls } };
}

/** Has yoga add the extension to its answers. */
export function reports<Context extends Reported>(): Plugin<Context> {
  return {
    onExecute({ args: { contextValue } }) {
      return {
        onExecuteDone({ result, setResult }) {
          if (Symbol.asyncIterator in result) return;
          setResult({ ...result, extensions: { ...result.extensions, ...gatewayExtension(contextValue) } });
        },
      };
    },
  };
}
