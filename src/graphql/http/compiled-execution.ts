import type { ExecutionArgs } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';
import type { CompiledOperations } from './compiled-operations.ts';
import { isCompilable } from './is-compilable.ts';

/** Has yoga execute operations by their compiled functions. */
export function compiledExecution<Context extends object>(compiled: CompiledOperations): Plugin<Context> {
  return {
    onExecute({ args, setExecuteFn }) {
      const operation = compiled.meet(args, () => compile(args));
      if (operation === undefined) return;
      setExecuteFn(({ rootValue, contextValue, variableValues }: ExecutionArgs) =>
        operation.query(rootValue, contextValue, variableValues),
      );
    },
  };
}

function compile({ schema, document, operationName }: ExecutionArgs): CompiledQuery | null {
  if (!isCompilable(document)) return null;
  const options = { disableLeafSerialization: false, disablingCapturingStackErrors: true };
  const outcome = compileQuery(schema, document, operationName ?? undefined, options);
  return isCompiledQuery(outcome) ? outcome : null;
}
