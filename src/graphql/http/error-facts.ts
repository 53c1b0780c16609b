import type { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { RequestFacts } from '../../http/request-log-fields.ts';

/**
 * Notes the code of the first error of an operation, for those who watch: the status of its answer is mostly 200 all the
 * same.
 */
export function noteErrors(facts: RequestFacts, errors: readonly GraphQLError[] | undefined): void {
  const code = errors?.[0]?.extensions?.code;
  if (typeof code === 'string') facts.error ??= code;
}

/** Has yoga note the errors of its answers, those of documents that can't be run among them. */
export function errorFacts(): Plugin<object, { readonly facts: RequestFacts }> {
  return {
    onResultProcess({ result, serverContext: { facts } }) {
      for (const one of Array.isArray(result) ? result : [result]) {
        if ('errors' in one) noteErrors(facts, one.errors);
      }
    },
  };
}
