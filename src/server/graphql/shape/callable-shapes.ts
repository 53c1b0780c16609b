import { mayCall, mayRead, parameterWithin } from '../../../calls/access/authorise.ts';
import type { Bounds, Caller } from '../../../calls/access/caller/caller.ts';
import type { EndpointParameter } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import type { EndpointShape, SchemaShape } from './shape.ts';

type Calling = Bounds & Partial<Pick<Caller, 'scopes'>>;

/** The endpoints that a caller may call, with the values that its key allows. */
export function callableShapes(
  caller: Calling,
  { endpoints, ofSources }: SchemaShape,
): readonly EndpointShape[] {
  return shapesWithin(caller, [...endpoints, ...(ofSources === undefined ? [] : [ofSources])], (parameter) =>
    parameterWithin(caller, parameter),
  );
}

/**
 * The part of the schema that a caller may use. Keys with the same endpoints and the same names of pinned parameters share it, so
 * it shows no values: an argument with a pinned one can be left out.
 */
export function callableSchema(caller: Calling, { endpoints }: SchemaShape): SchemaShape {
  const newestFirst = endpoints.map(({ older = [], ...newest }) => [newest, ...older]);
  const callable = newestFirst.flatMap((versions) => {
    const [newest, ...older] = shapesWithin(caller, versions, (parameter) => {
      const { default: _, ...others } = parameter;
      return caller.pins?.has(parameter.name) ? { ...others, required: false } : parameter;
    });
    return newest === undefined
      ? []
      : [{ ...withTables(newest), ...(older.length > 0 && { older: older.map(withTables) }) }];
  });
  return { endpoints: callable };
}

/** An object type without fields is not valid. */
function withTables(shape: EndpointShape): EndpointShape {
  return shape.tables?.tables.length === 0 ? { ...shape, tables: undefined } : shape;
}

/** What tells the schemas of {@link callableSchema} apart. */
export function callableNames({ endpoints }: SchemaShape): string {
  const versions = endpoints.flatMap((newest) => [newest, ...(newest.older ?? [])]);
  const names = versions.map(({ endpoint: { id, number }, tables, arguments: given }) => [
    id,
    number,
    tables?.tables.map(({ field }) => field),
    given.map(({ parameter }) => [parameter.required, parameter.default !== undefined]),
  ]);
  return JSON.stringify(names);
}

function shapesWithin(
  caller: Calling,
  shapes: readonly EndpointShape[],
  within: (parameter: EndpointParameter) => EndpointParameter,
): readonly EndpointShape[] {
  return shapes
    .filter(({ endpoint }) => mayCall(caller, endpoint))
    .map((shape) => {
      const { tables, older } = shape;
      return {
        ...shape,
        ...(older && { older: shapesWithin(caller, older, within) }),
        arguments: shape.arguments.map((each) => ({ ...each, parameter: within(each.parameter) })),
        tables: tables && { ...tables, tables: tables.tables.filter(({ table }) => mayRead(caller, table)) },
      };
    });
}
