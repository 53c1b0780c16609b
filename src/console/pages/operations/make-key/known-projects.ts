import { useEffect } from 'preact/hooks';
import { writtenName } from '../../../../sql/editing/written-name.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import { runCall } from '../../../parts/answer/answer.ts';
import { useLoad } from '../../../parts/loading/use-load.ts';
import { ofSources, type Session } from '../../../session/session.ts';

const parameterName = 'project';
const maxProjects = 12;
/** So many tables are asked: the projects of one are mostly those of the others. */
const maxTables = 3;

/** The projects of the parameters' examples and of their allowed values. */
export function describedProjects(endpoints: readonly Endpoint[]): readonly string[] {
  const parameters = endpoints.flatMap((endpoint) => endpoint.parameters);
  const values = parameters
    .filter(({ name }) => name === parameterName)
    .flatMap(({ values, example }) => [...(values ?? []), ...[example ?? []].flat()]);
  return [...new Set(values)].slice(0, maxProjects);
}

/** A query for the projects with most rows of the last week, in tables that say of which project a row is. Undefined if none does. */
export function projectsQuery({ tables }: Pick<Endpoint, 'tables'>): string | undefined {
  const parts = tables
    .filter(({ columns }) => columns.some(({ name, type }) => name === parameterName && type === 'STRING'))
    .flatMap(({ name, path = name, time }) =>
      time === undefined
        ? []
        : `SELECT ${parameterName} FROM ${path.split('.').map(writtenName).join('.')} WHERE ${writtenName(time)} >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY)`,
    )
    .slice(0, maxTables);
  if (parts.length === 0) return undefined;
  return `SELECT ${parameterName}\nFROM (\n${parts.join('\nUNION ALL\n')}\n)\nWHERE ${parameterName} IS NOT NULL\nGROUP BY ${parameterName}\nORDER BY COUNT(*) DESC\nLIMIT ${maxProjects}`;
}

/** The projects that a key can be pinned to: those with rows, if the rows may be read at no cost, and those that are described. */
export function useKnownProjects({ client, caller, endpoints }: Session): readonly string[] {
  const { value, load } = useLoad<readonly string[]>();
  useEffect(() => {
    const endpoint = endpoints.find(ofSources);
    const text = endpoint && projectsQuery(endpoint);
    if (endpoint === undefined || text === undefined || caller.billed) return;
    load(async (signal) => {
      const call = { endpoint, values: new Map(), query: { language: 'sql', text } } as const;
      const { rows } = await runCall(client, call, signal);
      return rows.flatMap(({ project }) => (typeof project === 'string' ? project : []));
    });
  }, [client, caller, load]);
  return [...new Set([...(value ?? []), ...describedProjects(endpoints)])].slice(0, maxProjects);
}
