import {
  BreakingChangeType,
  buildSchema,
  DangerousChangeType,
  findSchemaChanges,
  type GraphQLSchema,
} from 'graphql';
import { printContract } from './print-contract.ts';

/** A change that operations written against the old schema may notice. */
export interface ContractChange {
  /** `breaking`: operations may be refused or fail. `dangerous`: they work, but may get what they don't expect. */
  readonly severity: 'breaking' | 'dangerous';
  /** A sentence that names the field, argument or type. */
  readonly text: string;
}

/** What changed between two schemas, as graphql-js finds it, the breaking changes first. Safe changes are left out. */
export function contractChanges(before: GraphQLSchema, after: GraphQLSchema): ContractChange[] {
  // Both come from SDL then: a schema made in code differs in its built-in directives.
  const changes = findSchemaChanges(before, buildSchema(printContract(after)));
  const of = (severity: ContractChange['severity'], types: Readonly<Record<string, string>>) =>
    changes
      .filter(({ type }) => Object.hasOwn(types, type))
      .map(({ description }) => ({ severity, text: description }))
      .sort((a, b) => (a.text < b.text ? -1 : 1));
  return [...of('breaking', BreakingChangeType), ...of('dangerous', DangerousChangeType)];
}
