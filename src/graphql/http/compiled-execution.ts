import type { ExecutionArgs } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';
import type { CompiledOperations } from './compiled-operations.ts';
import { isCompilable } from './is-compilable.ts';
import { withPlaces } from './with-places.ts';

/**
 * Has yoga execute operations by their compiled functions. What is wrong with values of variables is left to
 * graphql-js to say, whose words are those of the scalars.
 */
export function compiledExecution<Context extends object>(compiled: CompiledOperations): Plugin<Context> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const operation = compiled.meet(args, () => compile(args));
      if (operation === undefined) return;
      setExecuteFn(async (given: ExecutionArgs) => {
        const { rootValue, contextValue, variableValues } = given;
        const result = await operation.query(rootValue, contextValue, variableValues);
        return result.data === undefined ? executeFn(given) : result;
      });
    },
  };
}

function compile({ schema, document, operationName }: ExecutionArgs): CompiledQuery | null {
  if (!isCompilable(document)) return null;
  const options = { disableLeafSerialization: true, disablingCapturingStackErrors: true };
  const outcome = compileQuery(schema, document, operationName ?? undefined, options);
  if (!isCompiledQuery(outcome)) return null;
  return {
    ...outcome,
    query: async (...given) => withPlaces(await outcome.query(...given), document.loc?.source),
  };
}
