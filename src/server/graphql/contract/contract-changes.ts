import {
  BreakingChangeType,
  buildSchema,
  DangerousChangeType,
  findSchemaChanges,
  type GraphQLSchema,
} from 'graphql';
import { estimatesType } from '../shape/shape.ts';
import { printContract } from './print-contract.ts';

/** A schema change that can affect operations written against the old schema. */
export interface ContractChange {
  /** `breaking`: operations may be refused or fail. `dangerous`: they run, but may get unexpected results. */
  readonly severity: 'breaking' | 'dangerous';
  /** A sentence that names the field, argument or type. */
  readonly text: string;
}

/** The name of an estimate's or a subscription's field in these sentences. */
const ofTwin = new RegExp(` (?:${estimatesType}|Subscription)\\.`);

/**
 * The differences between two schemas, as graphql-js finds them, breaking changes first. Leaves out safe changes, and
 * changes of an estimate or a subscription that equal those of the field that runs the query.
 */
export function contractChanges(before: GraphQLSchema, after: GraphQLSchema): ContractChange[] {
  // Printed and parsed so that both come from SDL: a schema built in code has other built-in directives.
  const changes = findSchemaChanges(before, buildSchema(printContract(after)));
  const texts = new Set(changes.map(({ description }) => description));
  const isTwice = (text: string) => ofTwin.test(text) && texts.has(text.replace(ofTwin, ' Query.'));
  const of = (severity: ContractChange['severity'], types: Readonly<Record<string, string>>) =>
    changes
      .filter(({ type, description }) => Object.hasOwn(types, type) && !isTwice(description))
      .map(({ description }) => ({ severity, text: description }))
      .sort((a, b) => (a.text < b.text ? -1 : 1));
  return [...of('breaking', BreakingChangeType), ...of('dangerous', DangerousChangeType)];
}
