import { readLabelRules } from '../jobs/labels.ts';
import { declaredParameters } from './declared-parameters.ts';
import type { Endpoint } from './endpoint.ts';
import type { PlannedFile } from './plan-query-file.ts';
import type { EndpointSettings } from './settings.ts';
import { withoutUndefined } from './without-undefined.ts';

/**
 * The endpoint of a file without errors.
 *
 * @param settings those of the file, or with what the retention of its sources allows
 * @param plan that of its query
 */
export function toEndpoint(
  { source, version, warm, query, protection }: PlannedFile,
  settings: EndpointSettings,
  plan: Endpoint['plan'],
): Endpoint {
  const { tables, filterable, functions = [], isSupported, composition } = query;
  const { parameters, columns, graphql, labels, bigquery, filterable: _, ...others } = settings;
  const {
    timeoutSeconds,
    class: ofClass,
    exportRows,
    maxScanBytes,
    unknownParameters,
    version: number,
    keep,
    deprecated,
    sunset,
    ...rest
  } = others;
  const { allowReservation, reservation, maxBytesPerDay, ...job } = bigquery;
  return {
    ...rest,
    ...withoutUndefined({ reservation, maxBytesPerDay, timeoutSeconds, exportRows, unknownParameters }),
    ...withoutUndefined({ maxScanBytes }),
    ...(ofClass && { class: ofClass }),
    allowReservation,
    job: withoutUndefined(job),
    labels: readLabelRules(labels).filter((rule) => rule !== undefined),
    version,
    number,
    ...(keep > 0 && { keep }),
    ...(deprecated !== undefined && { deprecation: { since: deprecated, ...withoutUndefined({ sunset }) } }),
    warm: isSupported ? warm.sets : [],
    ...protection,
    parameters: declaredParameters(parameters),
    columns: new Map(
      Object.entries(columns).map(([name, { nullable, ...optional }]) => [
        name,
        { nullable, ...withoutUndefined(optional) },
      ]),
    ),
    graphql: withoutUndefined(graphql),
    tables,
    ...(filterable && { filterable }),
    plan,
    functions,
    file: source.file,
    ...(composition && { composition }),
  };
}
