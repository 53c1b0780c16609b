import { fieldName, typeName } from '../../../base/text/graphql-names.ts';
import type { Source, SourceColumn } from '../../../definitions/sources/source.ts';
import { elementType, type SqlType, type StructType } from '../../../sql/values/type.ts';
import type { ObjectShape, ScalarName, TypeShape } from './shape.ts';

/** A name that GraphQL can't represent, or that occurs twice: the problem and its remedy. */
export class ShapeProblem extends Error {
  override readonly name = 'ShapeProblem';
}

const scalars: Readonly<Record<Exclude<SqlType['kind'], 'ARRAY' | 'STRUCT'>, ScalarName>> = {
  BOOL: 'Boolean',
  INT64: 'Int64',
  FLOAT64: 'Float',
  NUMERIC: 'Numeric',
  BIGNUMERIC: 'BigNumeric',
  STRING: 'String',
  BYTES: 'Bytes',
  DATE: 'LocalDate',
  DATETIME: 'LocalDateTime',
  TIME: 'LocalTime',
  TIMESTAMP: 'DateTime',
  INTERVAL: 'Interval',
  JSON: 'JSON',
  GEOGRAPHY: 'Geography',
};

export const scalarNames: readonly ScalarName[] = Object.values(scalars);

/** The scalar for values of a type that is neither ARRAY nor STRUCT. */
export function scalarOf(type: Exclude<SqlType, { kind: 'ARRAY' } | { kind: 'STRUCT' }>): ScalarName {
  return scalars[type.kind];
}

/** Assigns unique type names. */
export class TypeNames {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** The wanted name, followed by a number if it is taken. */
  claim(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#taken.has(name); number++) name = `${wanted}${number}`;
    this.#taken.add(name);
    return name;
  }
}

/**
 * The object types of records. Records with the same structure share a type, even across endpoints. A record of a
 * source is named after its place there, so that its name doesn't depend on the set of endpoints; any other record is
 * named after its first place.
 */
export class RecordTypes {
  readonly #names: TypeNames;
  readonly #byStructure = new Map<string, ObjectShape>();
  /** Names of the sources' records, by structure. They are reserved even if no endpoint reads the record. */
  readonly #ofSources = new Map<string, { readonly name: string; readonly place: string }>();

  constructor(names: TypeNames, sources: readonly Pick<Source, 'name' | 'columns'>[]) {
    this.#names = names;
    for (const { name, columns } of sources) this.#nameRecords([name], columns);
  }

  #nameRecords(path: readonly string[], columns: readonly SourceColumn[]): void {
    for (const { name, type, fields } of columns) {
      const record = elementType(type);
      if (record.kind !== 'STRUCT') continue;
      const place = [...path, name];
      const structure = structureOf(record);
      if (!this.#ofSources.has(structure)) {
        this.#ofSources.set(structure, {
          name: this.#names.claim(typeName(...place)),
          place: place.join('.'),
        });
      }
      this.#nameRecords(place, fields);
    }
  }

  /**
   * The shape of values of a type.
   *
   * @param path the names that lead to it, which name a record and appear in messages
   * @throws ShapeProblem
   */
  shapeOf(type: SqlType, path: readonly string[]): TypeShape {
    switch (type.kind) {
      case 'ARRAY':
        return { kind: 'list', of: this.shapeOf(type.element, path) };
      case 'STRUCT':
        return { kind: 'object', object: this.#recordType(type, path) };
      default:
        return { kind: 'scalar', name: scalarOf(type) };
    }
  }

  #recordType(type: StructType, path: readonly string[]): ObjectShape {
    const structure = structureOf(type);
    const known = this.#byStructure.get(structure);
    if (known !== undefined) return known;
    const where = path.slice(1).join('.');
    if (type.fields.length === 0) {
      throw new ShapeProblem(
        `The record ${where} has no fields, which a GraphQL type can't be: select it as TO_JSON(...), or not at all`,
      );
    }
    const { name, place } = this.#ofSources.get(structure) ?? {
      name: this.#names.claim(typeName(...path)),
      place: where,
    };
    const names = new Map<string, string>();
    const shape: ObjectShape = {
      name,
      description: `A record of ${place}`,
      fields: type.fields.map((field, index) => {
        const sqlName = field.name || `_field_${index + 1}`;
        const nameInGraphql = fieldName(sqlName);
        const remedy = 'give it another name, as by STRUCT(value AS name)';
        if (nameInGraphql === undefined) {
          throw new ShapeProblem(
            `GraphQL does not allow the name of the field ${where}.${sqlName}: ${remedy}`,
          );
        }
        const other = names.get(nameInGraphql);
        if (other !== undefined) {
          throw new ShapeProblem(
            `The fields ${other} and ${sqlName} of ${where} would both be ${nameInGraphql} in GraphQL: ${remedy}`,
          );
        }
        names.set(nameInGraphql, sqlName);
        return {
          name: nameInGraphql,
          sqlName,
          index,
          type: this.shapeOf(field.type, [...path, sqlName]),
          nullable: true,
          description: sqlName,
        };
      }),
    };
    this.#byStructure.set(structure, shape);
    return shape;
  }
}

/** Equal for equal structures, whatever characters their names contain. */
function structureOf(type: SqlType): string {
  if (type.kind === 'ARRAY') return `[${structureOf(type.element)}]`;
  if (type.kind !== 'STRUCT') return type.kind;
  return `{${type.fields.map((field) => `${JSON.stringify(field.name)}:${structureOf(field.type)}`).join()}}`;
}
