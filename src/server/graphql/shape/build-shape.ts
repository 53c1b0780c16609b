import { compareProblems, type Problem } from '../../../base/errors/problem.ts';
import { enumMember, fieldName, typeName } from '../../../base/text/graphql-names.ts';
import { hasTail } from '../../../calls/live/tail-query.ts';
import type { Endpoint, EndpointPlaces, EndpointTable } from '../../../definitions/endpoints/endpoint.ts';
import type { EndpointParameter } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { typeOfTexts } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import { columnNames } from '../../../sql/values/column-names.ts';
import { type Column, formatType } from '../../../sql/values/type.ts';
import { withConnections } from './connections.ts';
import { RecordTypes, ShapeProblem, scalarNames, scalarOf, TypeNames } from './record-types.ts';
import {
  type ArgumentShape,
  type EndpointShape,
  type EnumShape,
  estimatesField,
  estimatesType,
  type FieldShape,
  type ObjectShape,
  type SchemaShape,
  type TableShape,
  type TablesShape,
} from './shape.ts';

/** Fields of `Query` that exist without any endpoint. */
const ownFields = ['endpoints', 'endpoint', estimatesField];
/** Types that exist without any endpoint, and names that would turn types into root types. */
const ownTypes = [
  'Query',
  'Mutation',
  'Subscription',
  'Endpoint',
  'EndpointParameter',
  'EndpointColumn',
  'EndpointTable',
  'QueryColumn',
  'QueryResult',
  'QueryEstimate',
  'PageInfo',
  estimatesType,
  'Int',
  'ID',
  ...scalarNames,
];

interface BuiltShape {
  readonly shape: SchemaShape;
  /** Reasons why GraphQL can't represent something, each with a remedy. */
  readonly problems: readonly Problem[];
}

/**
 * Determines the names, types and nullability of endpoints in GraphQL. Pure; independent of any GraphQL library.
 *
 * @param places the positions of each endpoint's settings, for problems
 * @param sources the sources that endpoints read; their records are named after them
 */
export function buildShape(
  endpoints: readonly Endpoint[],
  places: EndpointPlaces,
  sources: readonly Pick<Source, 'name' | 'columns'>[] = [],
): BuiltShape {
  const builder = new ShapeBuilder(places, sources);
  const newest = endpoints.flatMap((endpoint) => builder.shapeOf(endpoint) ?? []);
  // Newest versions come first: the names of their types don't depend on older ones.
  const shapes = newest.map((shape) => {
    const older = shape.endpoint.older?.flatMap((version) => builder.shapeOf(version, shape) ?? []) ?? [];
    return older.length > 0 ? { ...shape, older } : shape;
  });
  // The names of connections come last, so that they take none of another field or type.
  return {
    shape: { endpoints: builder.withConnections(shapes) },
    problems: builder.problems.sort(compareProblems),
  };
}

class ShapeBuilder {
  readonly problems: Problem[] = [];
  readonly #places: EndpointPlaces;
  readonly #typeNames = new TypeNames(ownTypes);
  readonly #records: RecordTypes;
  readonly #subscriptionFields = new Set<string>();
  readonly #queryFields = new Map(ownFields.map((field) => [field, 'the gateway itself']));

  constructor(places: EndpointPlaces, sources: readonly Pick<Source, 'name' | 'columns'>[]) {
    this.#places = places;
    this.#records = new RecordTypes(this.#typeNames, sources);
  }

  /**
   * The shape of an endpoint. Undefined if it has errors.
   *
   * @param newest the newest version, for an older one: its fields have the number at their end
   */
  shapeOf(endpoint: Endpoint, newest?: EndpointShape): EndpointShape | undefined {
    const wanted = ofVersion(endpoint, newest, endpoint.graphql.field ?? fieldName(endpoint.name));
    const field = this.#queryField(endpoint, wanted, 'field');
    const args = this.#arguments(endpoint, field ?? '');
    const described = { name: typeName(field ?? '', 'Row'), description: `A row of ${endpoint.name}` };
    const row = this.#row(endpoint, described, endpoint.plan.columns, endpoint.columns);
    const tables = field === undefined ? undefined : this.#tables(endpoint, field, newest);
    if (field === undefined || row === undefined) return undefined;
    const deprecationReason = reasonOf(endpoint, newest);
    return {
      ...{ endpoint, field, arguments: args, row, tables },
      ...(deprecationReason !== undefined && { deprecationReason }),
      ...(newest !== undefined && { isOlder: true }),
    };
  }

  /** The endpoints, and their older versions, with the connections of those that can be read in pages. */
  withConnections(shapes: readonly EndpointShape[]): readonly EndpointShape[] {
    const queryFields = new Set(this.#queryFields.keys());
    const added = (shape: EndpointShape) => withConnections(shape, queryFields, this.#typeNames);
    const newest = shapes.map(added);
    return newest.map((shape) =>
      shape.older === undefined ? shape : { ...shape, older: shape.older.map(added) },
    );
  }

  #report(endpoint: Endpoint, path: readonly string[], text: string): void {
    this.problems.push({ file: endpoint.file, ...this.#places.locate(endpoint, path), text });
  }

  #queryField(
    endpoint: Endpoint,
    name: string | undefined,
    setting: 'field' | 'tables' | 'query',
  ): string | undefined {
    const path = endpoint.graphql[setting] === undefined ? ['name'] : ['graphql', setting];
    const remedy = `set "graphql.${setting}"`;
    if (name === undefined) {
      this.#report(
        endpoint,
        path,
        `GraphQL does not allow the name ${JSON.stringify(endpoint.name)}: ${remedy}`,
      );
      return undefined;
    }
    const other = this.#queryFields.get(name);
    if (other !== undefined) {
      this.#report(endpoint, path, `The GraphQL field ${name} is taken by ${other}: ${remedy}`);
      return undefined;
    }
    this.#queryFields.set(name, endpoint.name);
    return name;
  }

  #arguments(endpoint: Endpoint, field: string): ArgumentShape[] {
    const taken = new Map([['redactPii', 'redactPii']]);
    if (endpoint.sandbox) for (const own of ['sql', 'lql']) taken.set(own, own);
    return endpoint.parameters.flatMap((parameter) => {
      const path = ['parameters', parameter.name];
      const name = parameter.argument ?? fieldName(parameter.name);
      if (name === undefined) {
        this.#report(endpoint, path, `GraphQL does not allow the name ${parameter.name}: set "argument"`);
        return [];
      }
      const other = taken.get(name);
      if (other !== undefined) {
        this.#report(
          endpoint,
          path,
          `The argument ${name} is taken by the parameter ${other}: set "argument"`,
        );
        return [];
      }
      taken.set(name, parameter.name);
      const type = parameter.values
        ? this.#enum(endpoint, parameter, typeName(field, name))
        : scalarOf(typeOfTexts(parameter.type));
      return type === undefined ? [] : [{ name, parameter, type }];
    });
  }

  #enum(endpoint: Endpoint, parameter: EndpointParameter, wanted: string): EnumShape | undefined {
    const members = new Map<string, string>();
    for (const value of parameter.values ?? []) {
      const name = enumMember(value);
      const other = name === undefined ? undefined : members.get(name);
      if (name === undefined || other !== undefined) {
        const why =
          name === undefined
            ? `GraphQL does not allow the value ${JSON.stringify(value)}`
            : `The values ${JSON.stringify(other)} and ${JSON.stringify(value)} would both be ${name} in GraphQL`;
        const path = ['parameters', parameter.name, 'values'];
        this.#report(endpoint, path, `${why}: rename it, or leave "values" out and check in the query`);
        return undefined;
      }
      members.set(name, value);
    }
    return {
      name: this.#typeNames.claim(wanted),
      description: parameter.description ?? `Values of ${parameter.name}`,
      members: [...members].map(([name, value]) => ({ name, value })),
    };
  }

  /**
   * The type of rows with these columns.
   *
   * @param settings those of the columns of the endpoint's own result; columns of tables have none
   */
  #row(
    endpoint: Endpoint,
    { name: wantedName, description }: Pick<ObjectShape, 'name' | 'description'>,
    columns: readonly Column[],
    settings: Endpoint['columns'] | undefined,
  ): ObjectShape | undefined {
    const taken = new Map<string, string>();
    const before = this.problems.length;
    const name = this.#typeNames.claim(wantedName);
    const sqlNames = columnNames(columns);
    const fields: FieldShape[] = [];
    for (const [index, { type }] of columns.entries()) {
      const sqlName = sqlNames[index] as string;
      const set = settings?.get(sqlName);
      const path = set === undefined ? [] : ['columns', sqlName];
      const field = set?.field ?? fieldName(sqlName);
      const setting = settings === undefined ? '' : `, or set "columns.${sqlName}.field"`;
      const remedy = `select it AS another name${setting}`;
      const other = field === undefined ? undefined : taken.get(field);
      if (field === undefined) {
        this.#report(endpoint, path, `GraphQL does not allow the name of the column ${sqlName}: ${remedy}`);
      } else if (other !== undefined) {
        const text = `The columns ${other} and ${sqlName} would both be ${field} in GraphQL: ${remedy}`;
        this.#report(endpoint, path, text);
      } else {
        taken.set(field, sqlName);
        fields.push({
          name: field,
          sqlName,
          index,
          type:
            this.#chosenType(endpoint, type, path, set?.graphqlType) ??
            this.#columnType(endpoint, type, [name.replace(/Row\d*$/, ''), sqlName]),
          nullable: set?.nullable ?? true,
          description: set?.description === undefined ? sqlName : `${sqlName}: ${set.description}`,
        });
      }
    }
    return this.problems.length > before ? undefined : { name, description, fields };
  }

  /** The type that the column's settings choose. Only integers have another one that loses nothing. */
  #chosenType(
    endpoint: Endpoint,
    type: Column['type'],
    path: readonly string[],
    chosen: 'Int' | 'Float' | undefined,
  ): FieldShape['type'] | undefined {
    if (chosen === undefined) return undefined;
    if (type.kind !== 'INT64') {
      const text = `"graphqlType" is for INT64, and the column is ${formatType(type)}`;
      this.#report(endpoint, [...path, 'graphqlType'], text);
    }
    return { kind: 'scalar', name: chosen };
  }

  #columnType(endpoint: Endpoint, type: Column['type'], path: readonly string[]): FieldShape['type'] {
    try {
      return this.#records.shapeOf(type, path);
    } catch (error) {
      if (!(error instanceof ShapeProblem)) throw error;
      this.#report(endpoint, [], error.message);
      return { kind: 'scalar', name: 'JSON' };
    }
  }

  /** The fields of a table in `Subscription`. */
  #live(endpointField: string, name: string, table: EndpointTable): TableShape['live'] {
    const stem = `${endpointField}${typeName(name)}`;
    const field = this.#subscriptionField(stem);
    if (!hasTail(table)) return { field };
    const tail = this.#subscriptionField(`${stem}Tail`);
    return { field, tail: { field: tail, typeName: this.#typeNames.claim(typeName(tail)) } };
  }

  /** A name that no other field of `Subscription` has. Endpoints' own fields have theirs of `Query`. */
  #subscriptionField(wanted: string): string {
    let name = wanted;
    while (this.#queryFields.has(name) || this.#subscriptionFields.has(name)) name += '_';
    this.#subscriptionFields.add(name);
    return name;
  }

  #tables(
    endpoint: Endpoint,
    endpointField: string,
    newest: EndpointShape | undefined,
  ): TablesShape | undefined {
    if (endpoint.tables.length === 0) return undefined;
    const { graphql } = endpoint;
    const wanted = ofVersion(endpoint, newest, graphql.tables) ?? `${endpointField}Tables`;
    const field = this.#queryField(endpoint, wanted, 'tables');
    const wantedQuery = ofVersion(endpoint, newest, graphql.query) ?? `${endpointField}Query`;
    const queryField = this.#queryField(endpoint, wantedQuery, 'query');
    if (field === undefined || queryField === undefined) return undefined;
    const taken = new Map<string, string>();
    const tables: TablesShape['tables'][number][] = [];
    for (const table of endpoint.tables) {
      const name = fieldName(table.name);
      const other = name === undefined ? undefined : taken.get(name);
      if (name === undefined || other !== undefined) {
        const why =
          name === undefined
            ? `GraphQL does not allow the name of the table ${table.name}`
            : `The tables ${other} and ${table.name} would both be ${name} in GraphQL`;
        this.#report(endpoint, [], `${why}: give its WITH entry another name`);
        continue;
      }
      taken.set(name, table.name);
      const described = {
        name: typeName(endpointField, name, 'Row'),
        description: `A row of ${table.name} of ${endpoint.name}`,
      };
      const row = this.#row(endpoint, described, table.plan.columns, undefined);
      if (row !== undefined)
        tables.push({ field: name, table, row, live: this.#live(endpointField, name, table) });
    }
    return { field, queryField, typeName: this.#typeNames.claim(typeName(field)), tables };
  }
}

/** The name for a version of an endpoint: that of an older one has its number. */
function ofVersion(
  { number }: Endpoint,
  newest: EndpointShape | undefined,
  name: string | undefined,
): string | undefined {
  return name === undefined || newest === undefined ? name : `${name}V${number}`;
}

/** Why clients should not use the fields of an endpoint any more. Undefined if they may. */
function reasonOf({ deprecation }: Endpoint, newest: EndpointShape | undefined): string | undefined {
  if (deprecation === undefined) return undefined;
  const { since, sunset } = deprecation;
  const texts = [
    `Deprecated since ${since}.`,
    ...(newest === undefined ? [] : [`Use ${newest.field}.`]),
    ...(sunset === undefined ? [] : [`Ends on ${sunset}.`]),
  ];
  return texts.join(' ');
}
