import { useEffect, useState } from 'preact/hooks';
import type { Endpoint } from '../../api/endpoints.ts';
import { type Answer, runCall } from '../../parts/answer/answer.ts';
import { AnswerView } from '../../parts/answer/answer-view.tsx';
import { Empty, FailureFace, Loading } from '../../parts/faces/faces.tsx';
import { useLoad } from '../../parts/loading/use-load.ts';
import { columnsOf } from '../../parts/table/table-column.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { formatRoute } from '../../router/route.ts';
import { ofSources, useSession } from '../../session/session.ts';
import { ColumnStatistics } from './column-statistics.tsx';
import { type DescribedTable, daysQuery, rowsQuery } from './table-queries.ts';

interface TablesPageProps {
  /** The table of the address. */
  readonly table?: string | undefined;
}

/** All sources: their columns, their newest rows, and how many there are. */
export default function TablesPage({ table: wanted }: TablesPageProps) {
  const { endpoints } = useSession();
  const endpoint = endpoints.find(ofSources);
  const [search, setSearch] = useState('');
  if (endpoint === undefined)
    return (
      <Empty title="No tables">
        <p class="quiet">
          There are no sources, or this key may not query them: it needs the scope tables, and no
          restrictions.
        </p>
      </Empty>
    );
  const { tables } = endpoint;
  const table = tables.find(({ name }) => name === wanted) ?? (wanted === undefined ? tables[0] : undefined);
  const found = tables.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  return (
    <section class="page tables" aria-labelledby="title">
      <nav class="tables-list" aria-label="Tables">
        <input
          type="search"
          class="search"
          aria-label="Search tables"
          placeholder="Search tables"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <ul>
          {found.map(({ name }) => (
            <li key={name}>
              <a
                href={formatRoute({ page: 'tables', table: name })}
                aria-current={name === table?.name ? 'page' : undefined}
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {table === undefined ? (
        <Empty title={`There is no table ${JSON.stringify(wanted)}`} />
      ) : (
        <OpenTable key={table.name} endpoint={endpoint} table={table} />
      )}
    </section>
  );
}

interface OpenTableProps {
  readonly endpoint: Endpoint;
  readonly table: DescribedTable;
}

type Tab = 'rows' | 'columns' | 'days';

function OpenTable({ endpoint, table }: OpenTableProps) {
  const [tab, setTab] = useState<Tab>('rows');
  const days = daysQuery(table);
  const values = (text: string) => new URLSearchParams({ sql: text });
  const isLive = endpoint.liveTables.includes(table.name);
  return (
    <div class="tables-main">
      <div class="page-head">
        <h1 id="title">{table.name}</h1>
        <span class="page-links">
          <a href={formatRoute({ page: 'query', endpoint: endpoint.name, values: values(rowsQuery(table)) })}>
            Query
          </a>
          {isLive && (
            <a
              href={formatRoute({
                page: 'live',
                endpoint: endpoint.name,
                table: table.name,
                values: new URLSearchParams(),
              })}
            >
              Live
            </a>
          )}
        </span>
      </div>
      <Tabs
        label="What to show"
        tabs={[
          { name: 'rows', text: 'Rows' },
          { name: 'columns', text: 'Columns' },
          ...(days === undefined ? [] : [{ name: 'days' as const, text: 'By day' }]),
        ]}
        selected={tab}
        onSelect={setTab}
      >
        {tab === 'rows' && <QueryRows label={table.name} endpoint={endpoint} text={rowsQuery(table)} />}
        {tab === 'columns' && <ColumnStatistics endpoint={endpoint} table={table} />}
        {tab === 'days' && days !== undefined && (
          <QueryRows label={`${table.name} by day`} endpoint={endpoint} text={days} />
        )}
      </Tabs>
    </div>
  );
}

interface QueryRowsProps {
  readonly label: string;
  readonly endpoint: Endpoint;
  readonly text: string;
}

function QueryRows({ label, endpoint, text }: QueryRowsProps) {
  const { client } = useSession();
  const { value, failure, load } = useLoad<Answer>();
  useEffect(() => run(), [client, text]);
  function run() {
    const call = { endpoint, values: new Map(), query: { language: 'sql', text } } as const;
    load((signal) => runCall(client, call, signal));
  }
  if (failure !== undefined) return <FailureFace failure={failure} onRetry={run} />;
  if (value === undefined) return <Loading what="Reading rows" />;
  return <AnswerView label={label} answer={value} columns={columnsOf(value.rows)} />;
}
