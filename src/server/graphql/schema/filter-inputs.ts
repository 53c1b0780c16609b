import type { AskedRows } from '../../../calls/sandbox/rows-query.ts';
import { filterJson } from '../../../sql/filter/filter-json.ts';
import type { Operator } from '../../../sql/filter/operators.ts';
import { checkedOrder, type OrderKey } from '../../../sql/filter/row-order.ts';
import {
  directionType,
  type FilterShape,
  filterArguments,
  type OrderShape,
  type RecordFilterShape,
  type ScalarFilterShape,
} from '../shape/shape.ts';
import type { ArgumentBuilder } from './arguments.ts';
import type { Builder } from './builder.ts';

const operatorTexts: Readonly<Partial<Record<Operator, string>>> = {
  ne: 'NULL does not match',
  in: 'An empty list matches nothing',
  contains: 'Whether the text contains this one; letter case counts',
  regex: "Whether the text contains a match of this pattern in RE2's syntax",
};

type InputType = ReturnType<Builder['inputRef']>;

/** The input types of filters and orders, and the arguments that have them. */
export class FilterInputs {
  readonly #builder: Builder;
  readonly #types = new Map<string, InputType>();
  readonly #orders = new Map<string, InputType>();
  #direction: ReturnType<Builder['enumType']> | undefined;

  constructor(builder: Builder) {
    this.#builder = builder;
  }

  /** @param taken names of other arguments, which keep their meaning */
  definition(arg: ArgumentBuilder, { where, order }: FilterShape, taken: ReadonlySet<string> = new Set()) {
    const all = {
      [filterArguments.where]: () =>
        arg({
          type: this.#filter(where) as unknown as 'String',
          description: 'Only rows for which this is true',
        }),
      ...(order && {
        [filterArguments.order]: () =>
          arg({
            type: [this.#order(order)] as unknown as 'String',
            description: 'Instead of the order that the rows have anyway',
          }),
      }),
    };
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, make]) => (taken.has(name) ? [] : [[name, make()]])),
    );
  }

  #filter(shape: ScalarFilterShape | RecordFilterShape): InputType {
    const known = this.#types.get(shape.name);
    if (known !== undefined) return known;
    const type = this.#builder.inputRef(shape.name);
    this.#types.set(shape.name, type);
    if ('fields' in shape) this.#implementRecord(type, shape);
    else this.#implementScalar(type, shape);
    return type;
  }

  #implementRecord(type: InputType, shape: RecordFilterShape): void {
    const fields = shape.fields.map((field) => [field.name, this.#filter(field.type)] as const);
    type.implement({
      fields: (t) => {
        const list = () => t.field({ type: [type] as unknown as 'String' });
        return {
          ...Object.fromEntries(
            fields.map(([name, of]) => [name, t.field({ type: of as unknown as 'String' })]),
          ),
          ...{ and: list(), or: list(), not: t.field({ type: type as unknown as 'String' }) },
        };
      },
    });
  }

  #implementScalar(type: InputType, { scalar, operators }: ScalarFilterShape): void {
    type.implement({
      description: 'Conditions on a value, or on some element of a list. All must be true.',
      fields: (t) =>
        Object.fromEntries(
          operators.map((operator) => {
            const of = operator === 'isNull' ? 'Boolean' : scalar;
            const described = operatorTexts[operator];
            return [
              operator,
              t.field({
                type: (operator === 'in' ? [of] : of) as 'String',
                ...(described !== undefined && { description: described }),
              }),
            ];
          }),
        ),
    });
  }

  #order({ typeName, fieldType, members }: OrderShape): InputType {
    const known = this.#orders.get(typeName);
    if (known !== undefined) return known;
    this.#direction ??= this.#builder.enumType(directionType, {
      description: 'NULL comes first in ascending order, and last in descending order.',
      values: ['ASC', 'DESC'],
    });
    const direction = this.#direction;
    const field = this.#builder.enumType(fieldType, { values: members.map(({ name }) => name) });
    const type = this.#builder.inputRef(typeName);
    type.implement({
      fields: (t) => ({
        field: t.field({ type: field as unknown as 'String', required: true }),
        direction: t.field({
          type: direction as unknown as 'String',
          required: true,
          defaultValue: 'ASC',
        }),
      }),
    });
    this.#orders.set(typeName, type);
    return type;
  }
}

interface GivenKey {
  readonly field: string;
  readonly direction: 'ASC' | 'DESC';
}

/**
 * What the arguments of a field ask for of rows.
 *
 * @param taken names of arguments that mean something else
 * @throws GatewayError BAD_USER_INPUT
 */
export function askedRows(
  given: Readonly<Record<string, unknown>>,
  { fields, order: shape }: FilterShape,
  taken: ReadonlySet<string> = new Set(),
): Pick<AskedRows, 'fields' | 'parameter' | 'filter' | 'order'> {
  const [where, orderBy] = [filterArguments.where, filterArguments.order].map((name) =>
    taken.has(name) ? undefined : given[name],
  );
  const keys = (orderBy ?? []) as readonly GivenKey[];
  const order = keys.map(
    ({ field, direction }): OrderKey => ({
      path: shape?.members.find(({ name }) => name === field)?.path ?? [],
      descending: direction === 'DESC',
    }),
  );
  return {
    ...{ fields, parameter: filterArguments.where, order: checkedOrder(order, filterArguments.order) },
    ...(where !== undefined && where !== null && { filter: filterJson(where) }),
  };
}
