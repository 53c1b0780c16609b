import { enumMember } from '../../../base/text/graphql-names.ts';
import { type FieldNames, type FilterField, filterFields } from '../../../sql/filter/filter-fields.ts';
import { operatorsOf } from '../../../sql/filter/operators.ts';
import { orderFields } from '../../../sql/filter/row-order.ts';
import { type Column, elementType, type ScalarTypeName, type SqlType } from '../../../sql/values/type.ts';
import type { TypeNames } from './record-types.ts';
import {
  directionType,
  type FilterShape,
  type ObjectShape,
  type OrderShape,
  type RecordFilterShape,
  type ScalarFilterShape,
  type ScalarName,
  type TypeShape,
} from './shape.ts';

/** The input type for values of which only the presence can be tested. */
const presenceFilter = 'NullFilter';

/** The names of types of filters and orders that endpoints' own types can't have. */
export function ownFilterTypes(scalars: readonly ScalarName[]): string[] {
  return [directionType, presenceFilter, ...scalars.map((scalar) => `${scalar}Filter`)];
}

/** The input types of filters. Those of records are shared as the records are. */
export class FilterTypes {
  readonly #names: TypeNames;
  readonly #records = new Map<ObjectShape, RecordFilterShape>();

  constructor(names: TypeNames) {
    this.#names = names;
  }

  /** @param row the type of rows with these columns */
  ofRows(row: ObjectShape, columns: readonly Column[]): FilterShape {
    const fields = filterFields(columns, namesOf(row));
    return { where: this.#record(row, fields), order: this.#order(row, fields), fields };
  }

  #record(object: ObjectShape, fields: readonly FilterField[]): RecordFilterShape {
    const known = this.#records.get(object);
    if (known !== undefined) return known;
    const shape: RecordFilterShape = {
      name: this.#names.claim(`${object.name}Filter`),
      fields: fields.map((field) => {
        const { type } = object.fields.find(({ name }) => name === field.name) ?? {};
        if (type === undefined) throw new TypeError(`No field ${field.name} in ${object.name}`);
        return { name: field.name, type: this.#type(field, innermost(type)) };
      }),
    };
    this.#records.set(object, shape);
    return shape;
  }

  #type({ type, fields }: FilterField, shape: TypeShape): ScalarFilterShape | RecordFilterShape {
    if (shape.kind === 'object') return this.#record(shape.object, fields);
    const operators = operatorsOf(scalarKind(type));
    const scalar = shape.kind === 'scalar' ? shape.name : 'String';
    return { name: operators.length === 1 ? presenceFilter : `${scalar}Filter`, scalar, operators };
  }

  #order({ name }: ObjectShape, fields: readonly FilterField[]): OrderShape | undefined {
    const members = new Map<string, readonly string[]>();
    for (const { path } of orderFields(fields)) {
      const member = enumMember(path.join('_'));
      if (member !== undefined && !members.has(member)) members.set(member, path);
    }
    if (members.size === 0) return undefined;
    return {
      typeName: this.#names.claim(`${name}Order`),
      fieldType: this.#names.claim(`${name}OrderField`),
      members: [...members].map(([member, path]) => ({ name: member, path })),
    };
  }
}

function innermost(type: TypeShape): TypeShape {
  return type.kind === 'list' ? innermost(type.of) : type;
}

function scalarKind(type: SqlType): ScalarTypeName {
  const { kind } = elementType(type);
  if (kind === 'ARRAY' || kind === 'STRUCT') throw new TypeError(`${kind} is no scalar`);
  return kind;
}

function namesOf({ fields }: Pick<ObjectShape, 'fields'>): FieldNames {
  const field = (index: number) => fields.find((each) => each.index === index);
  return {
    nameOf: (index) => field(index)?.name,
    within(index) {
      const type = field(index)?.type;
      const inner = type && innermost(type);
      return namesOf(inner?.kind === 'object' ? inner.object : { fields: [] });
    },
  };
}
