import { buildSchema, GraphQLEnumType, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { describe, expect, test } from 'vitest';
import {
  ContractError,
  contractChanges,
  parseContract,
  printContract,
} from '../../../../src/server/graphql/contract.ts';

const before = `enum Unit { DAY HOUR }
type Row { id: String! count: Int }
type Query { counts(unit: Unit, name: String): [Row!] all: Int }
`;

/** What has changed since, as `severity: text`. */
function changes(...replacements: readonly (readonly [string, string])[]): string[] {
  const after = replacements.reduce((sdl, [old, text]) => {
    expect(sdl).toContain(old);
    return sdl.replace(old, text);
  }, before);
  return contractChanges(parseContract(before), buildSchema(after)).map(
    ({ severity, text }) => `${severity}: ${text}`,
  );
}

describe('a printed contract', () => {
  test('sorts types by name, and leaves fields, arguments and values in their order', () => {
    const printed = printContract(
      buildSchema(
        'enum Unit { HOUR DAY } type Query { z(b: Int, a: Unit): Row y: Int } type Row { n: Int m: Int }',
      ),
    );
    expect(printed.replace(/\s+/g, ' ')).toBe(
      'type Query { z(b: Int, a: Unit): Row y: Int } type Row { n: Int m: Int } enum Unit { HOUR DAY } ',
    );
  });

  test('can be read again', () => {
    const sdl = printContract(buildSchema(before));
    expect(printContract(parseContract(sdl))).toBe(sdl);
  });
});

describe('changes', () => {
  test('are none between a schema made in code and its own text', () => {
    const unit = new GraphQLEnumType({ name: 'Unit', values: { DAY: { value: 'day' } } });
    const query = new GraphQLObjectType({
      name: 'Query',
      fields: { a: { type: GraphQLString, args: { unit: { type: unit, defaultValue: 'day' } } } },
    });
    const schema = new GraphQLSchema({ query });
    expect(contractChanges(parseContract(printContract(schema)), schema)).toEqual([]);
  });

  test.each([
    ['count: Int', 'total: Int', 'Field Row.count was removed.'],
    ['count: Int', 'count: String', 'Field Row.count changed type from Int to String.'],
    ['id: String!', 'id: String', 'Field Row.id changed type from String! to String.'],
    ['DAY HOUR', 'DAY', 'Enum value Unit.HOUR was removed.'],
    ['unit: Unit', 'unit: Unit!', 'Argument Query.counts(unit:) has changed type from Unit to Unit!.'],
    ['name: String)', 'name: String, of: Int!)', 'A required argument Query.counts(of:) was added.'],
    ['unit: Unit, ', '', 'Argument Query.counts(unit:) was removed.'],
  ])('from %s to %s break clients', (old, text, change) => {
    expect(changes([old, text])).toEqual([`breaking: ${change}`]);
  });

  test.each([
    ['DAY HOUR', 'DAY HOUR WEEK', 'Enum value Unit.WEEK was added.'],
    ['name: String)', 'name: String, of: Int)', 'An optional argument Query.counts(of:) was added.'],
  ])('from %s to %s are dangerous', (old, text, change) => {
    expect(changes([old, text])).toEqual([`dangerous: ${change}`]);
  });

  test.each([
    ['count: Int', 'count: Int!'],
    ['count: Int', 'count: Int other: Int'],
    ['count: Int', '"How many." count: Int'],
  ])('from %s to %s are safe', (old, text) => {
    expect(changes([old, text])).toEqual([]);
  });

  test('of a field are reported once, and not again for its estimate', () => {
    const schema = (query: string, estimates: string) =>
      buildSchema(
        `type Cost { bytes: Int } type Query { ${query} estimates: Estimates } type Estimates { ${estimates} }`,
      );
    const old = schema('all(a: Int): Int b: Int', 'all(a: Int): Cost b: Cost c: Cost');
    const changed = schema('all(a: String): Int', 'all(a: String): Cost');
    expect(contractChanges(old, changed).map(({ text }) => text)).toEqual([
      'Argument Query.all(a:) has changed type from Int to String.',
      'Field Estimates.c was removed.',
      'Field Query.b was removed.',
    ]);
  });

  test('are listed by severity, then by text', () => {
    expect(changes(['DAY HOUR', 'DAY WEEK'], ['count: Int', 'total: Int'])).toEqual([
      'breaking: Enum value Unit.HOUR was removed.',
      'breaking: Field Row.count was removed.',
      'dangerous: Enum value Unit.WEEK was added.',
    ]);
  });
});

describe('a text that is not a contract', () => {
  test.each([
    ['', 'Syntax Error: Unexpected <EOF>.', 1, 1],
    ['type Query {\n  a String }', 'Syntax Error: Expected ":", found Name "String".', 2, 5],
    ['type Query { a: Nope }', 'Unknown type "Nope".', 1, 1],
    ['type Row { a: Int }', 'Query root type must be provided.', 1, 1],
    [
      '\n> endpoint-gateway@0.1.0 gateway\n> exec node main.ts\n\ntype Query { a: Int }',
      'The first lines are from npm: print the schema with "npm run --silent", or --output',
      1,
      1,
    ],
  ])('is refused with its place: %j', (sdl, message, line, column) => {
    const failure = (() => {
      try {
        return parseContract(sdl);
      } catch (error) {
        return error;
      }
    })();
    expect(failure).toBeInstanceOf(ContractError);
    expect(failure).toMatchObject({ message, place: { line, column } });
  });
});
