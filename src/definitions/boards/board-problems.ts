import type { Problem } from '../../base/errors/problem.ts';
import { suggestion } from '../../base/text/suggest.ts';
import { columnNames } from '../../sql/values/column-names.ts';
import type { Column } from '../../sql/values/type.ts';
import { formatType } from '../../sql/values/type.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { textsIn, typeOfTexts } from '../endpoints/parameters/endpoint-parameter.ts';
import { beginReading } from '../endpoints/parameters/rules.ts';
import { type BoardPanel, gridColumns, type VariableQuery } from './board-file.ts';
import { builtInNames, namesIn, sampleQuery, sampleText } from './placeholders.ts';
import type { ReadBoard } from './read-board.ts';

/** The columns of a query, or what is wrong with it. */
export type QueryOutcome = { readonly columns: readonly Column[] } | { readonly mistake: string };

/** What boards can call. */
export interface BoardSurroundings {
  readonly endpoints: readonly Endpoint[];
  /** The endpoint over all sources. */
  readonly ofSources: Endpoint | undefined;
  /** Plans a query over the tables of an endpoint. Without it, queries are not tried. */
  readonly tryQuery?: (
    endpoint: Endpoint,
    query: { readonly language: 'sql' | 'lql'; readonly text: string },
  ) => Promise<QueryOutcome>;
}

/** What a panel and a variable call. */
type Called = Pick<BoardPanel, 'endpoint' | 'parameters' | 'sql' | 'lql'>;
type Path = readonly (string | number)[];
interface Finding {
  readonly path: Path;
  readonly text: string;
  readonly what?: 'value';
}

/** The errors in a board besides those of its form: in what it calls and with what values, in charts and in places. */
export async function boardProblems(
  { board, file, locate }: ReadBoard,
  surroundings: BoardSurroundings,
): Promise<readonly Problem[]> {
  if (board === undefined) return [];
  const { panels, variables } = board;
  const names = [...builtInNames, ...Object.keys(variables)];
  const findings = await Promise.all([
    ...panels.map(async (panel, index) => {
      const at = (finding: Finding) => ({ ...finding, path: ['panels', index, ...finding.path] });
      const { columns, findings } = await calledFindings(panel, names, surroundings);
      const others = [...chartFindings(panel, columns), ...placeFindings(panel)];
      return [...findings, ...others].map(at);
    }),
    ...Object.entries(variables).map(async ([name, { query }]) => {
      if (query === undefined) return [];
      const at = (finding: Finding) => ({ ...finding, path: ['variables', name, 'query', ...finding.path] });
      const { columns, findings } = await calledFindings(query, builtInNames, surroundings);
      return [...findings, ...columnFindings(query, columns)].map(at);
    }),
  ]);
  return findings.flat().map(({ path, text, what }) => ({ file, ...locate(path, what), text }));
}

interface CalledFindings {
  readonly findings: readonly Finding[];
  /** Undefined if they are not known. */
  readonly columns?: readonly Column[];
}

async function calledFindings(
  called: Called,
  names: readonly string[],
  surroundings: BoardSurroundings,
): Promise<CalledFindings> {
  const { endpoint: name, sql, lql } = called;
  const isQuery = sql !== undefined || lql !== undefined;
  if (name === undefined && !isQuery) return found([], 'It calls nothing: expected "endpoint" or "sql"');
  if (sql !== undefined && lql !== undefined) return found(['lql'], 'Expected "sql" or "lql", not both');
  const { endpoints, ofSources } = surroundings;
  const endpoint = name === undefined ? ofSources : endpoints.find((each) => each.name === name);
  if (endpoint === undefined) {
    if (name === undefined)
      return found([sql === undefined ? 'lql' : 'sql'], 'There are no sources to query');
    const known = endpoints.map((each) => each.name);
    return found(['endpoint'], `Unknown endpoint "${name}"${suggestion(name, known)}`, 'value');
  }
  const findings = [...placeholderFindings(called, names), ...parameterFindings(called, endpoint)];
  if (!isQuery) return { findings, columns: endpoint.plan.columns };
  if (!endpoint.sandbox) {
    const text = `The endpoint ${endpoint.name} takes no queries: \`sandbox: true\` in ${endpoint.file} allows them`;
    return { findings: [...findings, { path: [sql === undefined ? 'lql' : 'sql'], text }] };
  }
  if (surroundings.tryQuery === undefined || findings.length > 0) return { findings };
  const [language, text] =
    sql === undefined ? ['lql' as const, lql ?? ''] : ['sql' as const, sampleQuery(sql)];
  const outcome = await surroundings.tryQuery(endpoint, { language, text });
  return 'columns' in outcome ? { findings, ...outcome } : found([language], outcome.mistake);
}

function found(path: Path, text: string, what?: 'value'): CalledFindings {
  return { findings: [{ path, text, ...(what && { what }) }] };
}

function* placeholderFindings(
  { parameters = {}, sql, lql }: Called,
  names: readonly string[],
): Generator<Finding> {
  const texts: (readonly [Path, string])[] = Object.entries(parameters).flatMap(([name, value]) =>
    textsIn(value).map((text) => [['parameters', name], text] as const),
  );
  if (sql !== undefined) texts.push([['sql'], sql]);
  for (const [path, text] of texts)
    for (const name of namesIn(text))
      if (!names.includes(name))
        yield { path, text: `Unknown variable "\${${name}}"${suggestion(name, names)}`, what: 'value' };
  if (lql !== undefined && namesIn(lql).length > 0)
    yield { path: ['lql'], text: 'LQL has no variables. Use "sql", or parameters of the endpoint' };
}

function* parameterFindings(
  { parameters = {} }: Called,
  { name: endpoint, parameters: declared }: Endpoint,
): Generator<Finding> {
  const names = declared.map(({ name }) => name);
  for (const [name, given] of Object.entries(parameters)) {
    const parameter = declared.find((each) => each.name === name);
    const path = ['parameters', name];
    if (parameter === undefined) {
      yield { path, text: `The endpoint ${endpoint} has no parameter "${name}"${suggestion(name, names)}` };
      continue;
    }
    const { type } = parameter;
    if (Array.isArray(given) && type.kind !== 'ARRAY') {
      yield { path, text: `The parameter "${name}" takes one value, not a list`, what: 'value' };
      continue;
    }
    const read = beginReading(parameter);
    for (const text of textsIn(given)) {
      const sample = sampleText(text, formatType(typeOfTexts(type)));
      if (sample === undefined || (sample === '' && !parameter.required)) continue;
      const outcome = read(sample);
      if ('problem' in outcome)
        yield { path, text: `The parameter "${name}"${outcome.problem}`, what: 'value' };
    }
  }
  const missing = declared.filter(({ name, required }) => required && parameters[name] === undefined);
  for (const { name } of missing)
    yield { path: ['parameters'], text: `The endpoint ${endpoint} requires the parameter "${name}"` };
}

const numberTypes: ReadonlySet<string> = new Set(['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC']);

function* chartFindings({ chart }: BoardPanel, columns: readonly Column[] | undefined): Generator<Finding> {
  if (chart === undefined) return;
  const { type, x, y = [], series } = chart;
  const hasAxes = type !== 'table' && type !== 'number';
  if (hasAxes && x === undefined) yield { path: ['chart', 'x'], text: `A chart of ${type} needs "x"` };
  if (!hasAxes && x !== undefined) yield { path: ['chart', 'x'], text: `A ${type} has no "x"` };
  if (!hasAxes && series !== undefined)
    yield { path: ['chart', 'series'], text: `A ${type} has no "series"` };
  if (type === 'table' && y.length > 0) yield { path: ['chart', 'y'], text: 'A table has no "y"' };
  if (columns === undefined) return;
  const names = columnNames(columns);
  const named = [
    ...(x === undefined ? [] : [[['chart', 'x'], x] as const]),
    ...y.map((name, index) => [['chart', 'y', index], name] as const),
    ...(series === undefined ? [] : [[['chart', 'series'], series] as const]),
  ];
  for (const [path, name] of named)
    if (!names.includes(name))
      yield { path, text: `There is no column "${name}"${suggestion(name, names)}`, what: 'value' };
  for (const [index, name] of y.entries()) {
    const column = columns[names.indexOf(name)];
    if (column !== undefined && !numberTypes.has(column.type.kind))
      yield {
        path: ['chart', 'y', index],
        text: `The column "${name}" has no numbers: it is ${formatType(column.type)}`,
        what: 'value',
      };
  }
}

function columnFindings(
  { column }: VariableQuery,
  columns: readonly Column[] | undefined,
): readonly Finding[] {
  const names = columns && columnNames(columns);
  if (names === undefined || names.includes(column)) return [];
  return [
    { path: ['column'], text: `There is no column "${column}"${suggestion(column, names)}`, what: 'value' },
  ];
}

function* placeFindings({ place }: BoardPanel): Generator<Finding> {
  if (place !== undefined && place.column + place.width - 1 > gridColumns)
    yield {
      path: ['place', 'width'],
      text: `A board has ${gridColumns} columns, so from column ${place.column} on the width is at most ${gridColumns + 1 - place.column}`,
      what: 'value',
    };
}
