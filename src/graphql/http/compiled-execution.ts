import type { DocumentNode, ExecutionArgs, ExecutionResult } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';

/** Compiled operations of one document, by operation name; null for one that can't be compiled. */
type Operations = Map<string, CompiledQuery | null>;

/**
 * Executes operations through functions that are compiled for them, which takes about half the time (measured).
 * Only a document that comes again is compiled: compiling costs more than executing once.
 */
export function compiledExecution<Context extends object>(): Plugin<Context> {
  const met = new WeakMap<DocumentNode, Operations>();

  function compiled({ document, schema, operationName }: ExecutionArgs): CompiledQuery | undefined {
    const operations = met.get(document);
    if (operations === undefined) {
      met.set(document, new Map());
      return undefined;
    }
    const name = operationName ?? '';
    let operation = operations.get(name);
    if (operation === undefined) {
      const outcome = compileQuery(schema, document, operationName ?? undefined, {
        disableLeafSerialization: false,
        disablingCapturingStackErrors: true,
      });
      operation = isCompiledQuery(outcome) ? outcome : null;
      operations.set(name, operation);
    }
    return operation ?? undefined;
  }

  return {
    onExecute({ args, setExecuteFn }) {
      const operation = compiled(args);
      if (operation === undefined) return;
      setExecuteFn(
        ({
          rootValue,
          contextValue,
          variableValues,
        }: ExecutionArgs): ExecutionResult | Promise<ExecutionResult> =>
          operation.query(rootValue, contextValue, variableValues),
      );
    },
  };
}
