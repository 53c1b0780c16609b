import { useEffect, useState } from 'preact/hooks';
import type { Endpoint } from '../../api/endpoints.ts';
import { Empty } from '../../parts/faces/faces.tsx';
import { counted } from '../../parts/text/number-text.ts';
import { formatRoute, type Route, rewriteAddress } from '../../router/route.ts';
import { ofSources, useSession } from '../../session/session.ts';
import { TableView } from './table-view.tsx';

type ExploreRoute = Extract<Route, { readonly page: 'explore' }>;

/** All sources, and what is in one of them: rows by time, the values of fields, and the rows themselves. */
export default function ExplorePage({ route }: { readonly route: ExploreRoute }) {
  const { endpoints } = useSession();
  // An address of an earlier version.
  useEffect(() => rewriteAddress(route), [route]);
  const endpoint = endpoints.find(ofSources);
  if (endpoint === undefined)
    return (
      <Empty title="No tables">
        <p class="quiet">
          There are no sources, or this key may not query them: it needs the scope tables, and no
          restrictions.
        </p>
      </Empty>
    );
  const table = endpoint.tables.find(({ name }) => name === route.table);
  if (table === undefined) return <TableList endpoint={endpoint} unknown={route.table} />;
  return <TableView key={table.name} endpoint={endpoint} table={table} values={route.values} />;
}

interface TableListProps {
  readonly endpoint: Endpoint;
  /** The table of the address, if there is none of this name. */
  readonly unknown: string | undefined;
}

function TableList({ endpoint: { tables }, unknown }: TableListProps) {
  const [search, setSearch] = useState('');
  const found = tables.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  return (
    <section class="page" aria-labelledby="title">
      <div class="page-head">
        <h1 id="title">Explore</h1>
        <input
          type="search"
          class="search"
          aria-label="Search tables"
          placeholder="Search tables"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </div>
      {unknown !== undefined && (
        <p class="mistake" role="alert">
          There is no table <bdi>{JSON.stringify(unknown.slice(0, 200))}</bdi>. Choose another one.
        </p>
      )}
      {found.length === 0 && <p class="quiet">No table matches.</p>}
      <ul class="explore-tables">
        {found.map(({ name, columns, time }) => (
          <li key={name}>
            <a
              class="card"
              href={formatRoute({ page: 'explore', table: name, values: new URLSearchParams() })}
            >
              <strong>{name}</strong>
              <span class="quiet">
                {counted(columns.length, 'column')}
                {time === undefined && ', no time'}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
