import type { Endpoint } from '../../api/endpoints.ts';
import type { TableColumn } from '../../parts/table/table-column.ts';

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
            <code>{name}</code>
          </dt>
          <dd>
            <code class="quiet">{type}</code> {description}
          </dd>
        </div>
      ))}
    </dl>
  );
}
