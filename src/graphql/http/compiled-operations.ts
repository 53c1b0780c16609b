import type { DocumentNode, ExecutionArgs } from 'graphql';
import type { CompiledQuery } from 'graphql-jit';

/** Compiled operations of one document, by operation name; null for one that can't be compiled. */
type Operations = Map<string, CompiledQuery | null>;

/**
 * Functions that are compiled for operations: a request takes about a quarter less processor time (measured). Only a document
 * that comes again is compiled, for compiling costs more than executing once.
 */
export class CompiledOperations {
  readonly #met = new WeakMap<DocumentNode, Operations>();

  /** The function for an operation, if it has one by now. */
  known(document: DocumentNode, operationName = ''): CompiledQuery | undefined {
    return this.#met.get(document)?.get(operationName) ?? undefined;
  }

  /**
   * The function for an operation that is about to be executed, compiled unless its document is new.
   *
   * @param compile gives null for what can't be compiled
   */
  meet(
    { document, operationName }: Pick<ExecutionArgs, 'document' | 'operationName'>,
    compile: () => CompiledQuery | null,
  ): CompiledQuery | undefined {
    const operations = this.#met.get(document);
    if (operations === undefined) {
      this.#met.set(document, new Map());
      return undefined;
    }
    const name = operationName ?? '';
    let operation = operations.get(name);
    if (operation === undefined) {
      operation = compile();
      operations.set(name, operation);
    }
    return operation ?? undefined;
  }
}
