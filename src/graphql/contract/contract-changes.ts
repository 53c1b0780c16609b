import {
  BreakingChangeType,
  buildSchema,
  DangerousChangeType,
  findSchemaChanges,
  type GraphQLSchema,
} from 'graphql';
import { estimatesType } from '../shape/shape.ts';
import { printContract } from './print-contract.ts';

/** A change that operations written against the old schema may notice. */
interface ContractChange {
  /** `breaking`: operations may be refused or fail. `dangerous`: they work, but may get what they don't expect. */
  readonly severity: 'breaking' | 'dangerous';
  /** A sentence that names the field, argument or type. */
  readonly text: string;
}

/** How sentences name a field of an estimate. */
const ofEstimate = new RegExp(` ${estimatesType}\\.`);

/**
 * What changed between two schemas, as graphql-js finds it, the breaking changes first. Safe changes are left out, and so is what
 * changed of an estimate as it did of the field that runs the query.
 */
export function contractChanges(before: GraphQLSchema, after: GraphQLSchema): ContractChange[] {
  // Both come from SDL then: a schema made in code differs in its built-in directives.
  const changes = findSchemaChanges(before, buildSchema(printContract(after)));
  const texts = new Set(changes.map(({ description }) => description));
  const isTwice = (text: string) => ofEstimate.test(text) && texts.has(text.replace(ofEstimate, ' Query.'));
  const of = (severity: ContractChange['severity'], types: Readonly<Record<string, string>>) =>
    changes
      .filter(({ type, description }) => Object.hasOwn(types, type) && !isTwice(description))
      .map(({ description }) => ({ severity, text: description }))
      .sort((a, b) => (a.text < b.text ? -1 : 1));
  return [...of('breaking', BreakingChangeType), ...of('dangerous', DangerousChangeType)];
}
