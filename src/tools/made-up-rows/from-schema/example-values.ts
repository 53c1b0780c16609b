import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import { elementType, formatType, type SqlType } from '../../../sql/values/type.ts';
import type { MadeUpValue } from '../making/made-up-store.ts';
import type { NonEmpty } from '../making/random.ts';

/** What columns contain so that calls of endpoints with their examples return rows. */
export interface ExampleValues {
  /** The values for a column, if there are any. */
  of(column: string, type: SqlType): NonEmpty<MadeUpValue> | undefined;
}

type Parameters = Pick<Endpoint, 'parameters'>;

/** Types whose values are compared for equality. */
const comparable = new Set(['STRING', 'INT64', 'BOOL', 'NUMERIC', 'FLOAT64']);

/**
 * The values that the parameters of endpoints have in examples: `example`, `default` and `values`. They are meant for
 * columns with the name (in any letter case) and the type of the parameter: that is how a parameter is usually compared.
 */
export function exampleValues(endpoints: readonly Parameters[]): ExampleValues {
  const texts = new Map<string, Set<string>>();
  for (const { name, type, example, default: usual, values } of endpoints.flatMap(
    (each) => each.parameters,
  )) {
    const element = elementType(type);
    if (!comparable.has(element.kind)) continue;
    const key = keyOf(name, element);
    const known = texts.get(key) ?? new Set();
    for (const text of [example, usual, values].flatMap((each) => each ?? [])) known.add(text);
    if (known.size > 0) texts.set(key, known);
  }
  return {
    of(column, type) {
      const element = elementType(type);
      const values = [...(texts.get(keyOf(column, element)) ?? [])].map((text) => rowValue(text, element));
      const [first, ...others] = values.filter((value) => value !== null);
      return first === undefined ? undefined : [first, ...others];
    },
  };
}

function keyOf(name: string, type: SqlType): string {
  return `${name.toLowerCase()} ${formatType(type)}`;
}

/** In the form of rows, or null if JSON has none. The endpoint's check has seen that the text is of this type. */
function rowValue(text: string, { kind }: SqlType): MadeUpValue {
  if (kind === 'BOOL') return text.toLowerCase() === 'true';
  if (kind === 'FLOAT64') return Number.isFinite(Number(text)) ? Number(text) : null;
  return text;
}
