import {
  BreakingChangeType,
  buildSchema,
  DangerousChangeType,
  findSchemaChanges,
  GraphQLError,
  type GraphQLSchema,
  isIntrospectionType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  printDirective,
  printType,
  validateSchema,
} from 'graphql';
import type { Problem } from '../../base/errors/problem.ts';
import { estimatesType } from './shape/shape.ts';

/** Thrown when a text is not a GraphQL schema. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  /** The position of the error. Lines and columns start at 1. */
  readonly place: Pick<Problem, 'line' | 'column'>;

  constructor(message: string, place: Pick<Problem, 'line' | 'column'> = { line: 1, column: 1 }) {
    super(message);
    this.place = place;
  }
}

/**
 * Parses a schema from its SDL.
 *
 * @throws ContractError
 */
export function parseContract(sdl: string): GraphQLSchema {
  if (/^\s*> \S+@\S+ \w+$/m.test(sdl)) {
    throw new ContractError(
      'The first lines are from npm: print the schema with "npm run --silent", or --output',
    );
  }
  try {
    const schema = buildSchema(sdl);
    const [mistake] = validateSchema(schema);
    if (mistake !== undefined) throw mistake;
    return schema;
  } catch (error) {
    throw new ContractError(error instanceof Error ? error.message : String(error), placeOf(error));
  }
}

function placeOf(error: unknown): Pick<Problem, 'line' | 'column'> | undefined {
  return error instanceof GraphQLError ? error.locations?.[0] : undefined;
}

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

/**
 * Prints the schema as SDL, from which clients are generated. Types are sorted by name. Their fields and arguments have
 * the order of their declaration.
 */
export function printContract(schema: GraphQLSchema): string {
  const directives = schema.getDirectives().filter((directive) => !isSpecifiedDirective(directive));
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isSpecifiedScalarType(type) && !isIntrospectionType(type))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const texts = [
    ...directives.map((directive) => printDirective(directive)),
    ...types.map((type) => printType(type)),
  ];
  return `${texts.join('\n\n')}\n`;
}
