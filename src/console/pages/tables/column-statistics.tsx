import { useState } from 'preact/hooks';
import type { Endpoint, EndpointColumn } from '../../api/endpoints.ts';
import type { Json, JsonObject } from '../../api/json.ts';
import { runCall } from '../../parts/answer/answer.ts';
import { FailureFace, Loading } from '../../parts/faces/faces.tsx';
import { useLoad } from '../../parts/loading/use-load.ts';
import { PlainTable } from '../../parts/plain-table.tsx';
import { useSession } from '../../session/session.ts';
import { type DescribedTable, hasStatistics, rangeQuery, topQuery } from './table-queries.ts';

interface ColumnStatisticsProps {
  readonly endpoint: Endpoint;
  readonly table: DescribedTable;
}

/** The columns with their types, and what is in them on demand. */
export function ColumnStatistics({ endpoint, table }: ColumnStatisticsProps) {
  return (
    <ul class="columns-list">
      {table.columns.map((column) => (
        <ColumnItem key={column.name} {...{ endpoint, table, column }} />
      ))}
    </ul>
  );
}

interface Statistics {
  readonly range: JsonObject;
  readonly top: readonly JsonObject[];
}

function ColumnItem({
  endpoint,
  table,
  column,
}: ColumnStatisticsProps & { readonly column: EndpointColumn }) {
  const { client } = useSession();
  const { value, failure, load } = useLoad<Statistics>();
  const [isOpen, setOpen] = useState(false);
  const rowsOf = async (text: string, signal: AbortSignal) => {
    const call = { endpoint, values: new Map(), query: { language: 'sql', text } } as const;
    return (await runCall(client, call, signal)).rows;
  };
  const open = () => {
    setOpen(!isOpen);
    if (isOpen || value !== undefined) return;
    load(async (signal) => {
      const [[range = {}], top] = await Promise.all([
        rowsOf(rangeQuery(table, column), signal),
        rowsOf(topQuery(table, column), signal),
      ]);
      return { range, top };
    });
  };
  return (
    <li>
      <div class="column-head">
        <code>{column.name}</code>
        <code class="quiet">{column.type}</code>
        <span>{column.description}</span>
        {hasStatistics(column) && (
          <button type="button" aria-expanded={isOpen} aria-label={`Values of ${column.name}`} onClick={open}>
            Values
          </button>
        )}
      </div>
      {isOpen && failure !== undefined && <FailureFace failure={failure} />}
      {isOpen && failure === undefined && value === undefined && <Loading what="Reading values" />}
      {isOpen && value !== undefined && <Values name={column.name} {...value} />}
    </li>
  );
}

function Values({ name, range, top }: Statistics & { readonly name: string }) {
  const { row_count: rows, null_count: nulls, about_distinct: distinct, least, greatest } = range;
  return (
    <div class="column-values">
      <p class="facts">
        <span>{shown(rows)} rows</span>
        <span>{shown(nulls)} NULL</span>
        <span>about {shown(distinct)} different values</span>
        <span>
          from <bdi>{shown(least)}</bdi> to <bdi>{shown(greatest)}</bdi>
        </span>
      </p>
      <PlainTable label={`Most frequent values of ${name}`} heads={['Value', 'Rows']}>
        {top.map(({ value, row_count: count }) => (
          <tr key={shown(value)}>
            <td>
              <bdi>{shown(value)}</bdi>
            </td>
            <td>{shown(count)}</td>
          </tr>
        ))}
      </PlainTable>
    </div>
  );
}

function shown(value: Json | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number' || typeof value === 'bigint') return value.toLocaleString('en');
  return String(value);
}
