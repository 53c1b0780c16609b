import type { Endpoint, FullEndpoint } from '../../api/endpoints.ts';
import type { Call } from '../../parts/answer/answer.ts';
import { snippetsOf } from '../../parts/answer/snippets.ts';
import { SnippetsView } from '../../parts/answer/snippets-view.tsx';
import { CodeBlock } from '../../parts/copy/code-block.tsx';
import { FailureFace, Loading } from '../../parts/faces/faces.tsx';
import type { Loaded } from '../../parts/loading/use-load.ts';
import type { ParameterValues } from '../../parts/parameters/parameter-values.ts';
import type { TableColumn } from '../../parts/table/table-column.ts';
import { manyLines, oneLine } from '../../parts/text/cell-text.ts';
import { spanText } from '../../parts/text/number-text.ts';
import { formatRoute, type Route } from '../../router/route.ts';

/** The columns of an endpoint's rows, and of the tables that its ad-hoc queries may read. */
export function ColumnsTab({ endpoint }: { readonly endpoint: Endpoint }) {
  return (
    <div class="columns-tab">
      <h2>Result</h2>
      <ColumnList columns={endpoint.columns} />
      {endpoint.tables.map(({ name, columns }) => (
        <details key={name}>
          <summary>
            Table <code>{name}</code>
          </summary>
          <ColumnList columns={columns} />
        </details>
      ))}
    </div>
  );
}

function ColumnList({ columns }: { readonly columns: readonly TableColumn[] }) {
  return (
    <dl class="columns">
      {columns.map(({ name, type, description }) => (
        <div key={name}>
          <dt>
            <code>{oneLine(name)}</code>
          </dt>
          <dd>
            <code class="quiet">{oneLine(type ?? '')}</code> {manyLines(description ?? '')}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface CodeTabProps {
  readonly call: Call;
  readonly full: Loaded<FullEndpoint>;
}

/** The call in several languages, to copy. */
export function CodeTab({ call, full: { value, failure } }: CodeTabProps) {
  const operation = value?.graphql;
  const graphql =
    operation === undefined ? [] : [{ name: 'GraphQL', text: graphqlSnippet(operation, call.values) }];
  return (
    <>
      <SnippetsView snippets={[...snippetsOf(call, location.origin), ...graphql]} />
      {failure !== undefined && <FailureFace failure={failure} />}
    </>
  );
}

/** The operation that calls an endpoint, and its variables with these values. */
function graphqlSnippet(graphql: NonNullable<FullEndpoint['graphql']>, values: ParameterValues): string {
  const variables = Object.fromEntries(
    graphql.variables.flatMap(({ parameter, name, members }) => {
      const value = values.get(parameter);
      if (value === undefined) return [];
      const memberOf = (text: string) => members?.[text] ?? text;
      return [[name, typeof value === 'string' ? memberOf(value) : value.map(memberOf)]];
    }),
  );
  return `${graphql.query.trim()}\n\n# Variables\n${JSON.stringify(variables, null, 2)}\n`;
}

/** The settings of an endpoint, and its SQL if the key may see it. */
export function DefinitionTab({ full: { value, failure } }: { readonly full: Loaded<FullEndpoint> }) {
  if (failure !== undefined) return <FailureFace failure={failure} />;
  if (value === undefined) return <Loading what="Loading the definition" />;
  return (
    <div class="definition-tab">
      <dl class="settings">
        {settingsOf(value).map(([setting, text]) => (
          <div key={setting}>
            <dt>{setting}</dt>
            <dd>{manyLines(text)}</dd>
          </div>
        ))}
      </dl>
      {value.definition === undefined ? (
        <p class="quiet">Only keys without restrictions see the SQL.</p>
      ) : (
        <>
          <Reads paths={value.definition.reads} />
          <CodeBlock label="SQL" text={value.definition.sql.trim()} />
        </>
      )}
    </div>
  );
}

/** What a query reads, with links to endpoints and tables. */
function Reads({ paths }: { readonly paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <p>
      Reads{' '}
      {paths.map((path, index) => (
        <span key={path}>
          {index > 0 && ', '}
          <Read path={path} />
        </span>
      ))}
    </p>
  );
}

function Read({ path }: { readonly path: string }) {
  const [folder = '', ...names] = path.split('.');
  const name = names.join('.');
  const route: Route | undefined =
    folder === 'endpoints'
      ? { page: 'endpoint', endpoint: name, values: new URLSearchParams() }
      : folder === 'logs'
        ? { page: 'explore', table: name.replace(/_\*$/, ''), values: new URLSearchParams() }
        : folder === 'gateway'
          ? { page: 'explore', table: path.replace('.', '_'), values: new URLSearchParams() }
          : undefined;
  const text = <code>{path}</code>;
  return route === undefined ? text : <a href={formatRoute(route)}>{text}</a>;
}

function settingsOf(endpoint: FullEndpoint): readonly (readonly [name: string, text: string])[] {
  const { id, graphqlField, maxRows, exportRows, cacheSeconds, sandbox } = endpoint;
  const shown = {
    id,
    graphqlField,
    maxRows: maxRows.toLocaleString('en'),
    exportRows: exportRows.toLocaleString('en'),
    cacheSeconds: cacheSeconds === 0 ? 'not cached' : `${cacheSeconds} (${spanText(cacheSeconds)})`,
    sandbox: String(sandbox),
  };
  const others = Object.entries(endpoint.definition?.settings ?? {})
    .filter(([name, value]) => !(name in shown) && value !== null && value !== undefined)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const);
  return [...Object.entries(shown), ...others];
}
