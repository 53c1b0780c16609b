import { useMemo, useState } from 'preact/hooks';
import type { Endpoint } from '../../api/endpoints.ts';
import { fixedRange, rangeAt, type TimeRange } from '../../parts/time/time-range.ts';
import { TimeRangePicker } from '../../parts/time/time-range-picker.tsx';
import { useZone } from '../../parts/time/use-zone.ts';
import { formatRoute, navigate } from '../../router/route.ts';
import { useSession } from '../../session/session.ts';
import { useAnswer } from './asked/use-answer.ts';
import { routeOf, useExploration } from './asked/use-exploration.ts';
import { ConditionTexts } from './condition-texts.tsx';
import { FacetList } from './facets/facet-list.tsx';
import { FilterBar } from './filter-bar.tsx';
import { HistogramView } from './histogram-view.tsx';
import { conditionsOf } from './question/conditions.ts';
import { type Filter, nothingChosen, withFilter } from './question/exploration.ts';
import { type DescribedTable, exploredTable, lastName } from './question/explored-table.ts';
import { histogramOf, stepOf } from './question/histogram.ts';
import { levelField } from './question/likely-fields.ts';
import { countSql, histogramSql, rowsSql } from './question/queries.ts';
import { RowsView } from './rows/rows-view.tsx';

interface TableViewProps {
  readonly endpoint: Endpoint;
  readonly table: DescribedTable;
  /** Of the address. */
  readonly values: URLSearchParams;
}

/** A table: its rows by time, facets, and the newest rows of those that the filters leave. */
export function TableView({ endpoint, table: described, values }: TableViewProps) {
  const { client, caller } = useSession();
  const [zone] = useZone();
  const table = useMemo(() => exploredTable(described), [described.name, JSON.stringify(described.columns)]);
  const { exploration, mistakes, change } = useExploration(table.name, values);
  const [refresh, setRefresh] = useState(0);
  const span = useMemo<TimeRange | undefined>(
    () => (table.timeSql === undefined ? undefined : rangeAt(exploration.range, Date.now(), zone)),
    [table, exploration, zone, refresh],
  );
  const conditions = useMemo(() => conditionsOf(exploration, table, span), [exploration, table, span]);
  const wrong = [...mistakes, ...conditions.mistakes];

  // What costs money runs when it is asked for.
  const question = conditions.sql.join('\n');
  const [agreed, setAgreed] = useState<string>();
  const isAsked = wrong.length === 0 && (!caller.billed || agreed === question);
  const asked = { client, endpoint };
  const split = useMemo(() => levelField(table.ofRow), [table]);
  const step = span === undefined ? 0 : stepOf(span);
  const counts = useAnswer(
    asked,
    isAsked
      ? span === undefined
        ? countSql(table, conditions.sql)
        : histogramSql(table, conditions.sql, step, split)
      : undefined,
    refresh,
  );
  const rows = useAnswer(
    asked,
    isAsked ? rowsSql(table, { order: exploration.order, columns: undefined }, conditions.sql) : undefined,
    refresh,
  );
  const histogram = useMemo(
    () =>
      span === undefined || counts.answer === undefined || !counts.isCurrent
        ? undefined
        : histogramOf(counts.answer.rows, span, step, split && lastName(split.path)),
    [counts.answer, counts.isCurrent, split],
  );
  const total = !counts.isCurrent
    ? undefined
    : span === undefined
      ? Number(counts.answer?.rows[0]?.row_count ?? 0)
      : histogram?.total;

  const add = (filter: Filter) => change(withFilter(exploration, filter));
  const views = { table, exploration, change };
  const isLive = endpoint.liveTables.includes(table.name);
  return (
    <section class="page explore" aria-labelledby="title">
      <div class="page-head">
        <h1 id="title">Explore</h1>
        <select
          aria-label="Table"
          value={table.name}
          onChange={({ currentTarget }) =>
            navigate(routeOf(currentTarget.value, { ...nothingChosen, range: exploration.range }, client.key))
          }
        >
          {endpoint.tables.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        {span !== undefined && (
          <TimeRangePicker choice={exploration.range} onChoice={(range) => change({ range })} />
        )}
        <button type="button" onClick={() => setRefresh((count) => count + 1)}>
          Refresh
        </button>
        <span class="page-links">
          <a
            href={formatRoute({
              page: 'query',
              endpoint: endpoint.name,
              values: new URLSearchParams({ sql: rowsSql(table, exploration, conditions.sql) }),
            })}
          >
            Open in Query
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
      <FilterBar {...views} onFilter={add} />
      {wrong.length > 0 && (
        <ul class="mistake" role="alert">
          {wrong.map((mistake) => (
            <li key={mistake} class="explore-mistake">
              <bdi>{mistake}</bdi>
            </li>
          ))}
        </ul>
      )}
      <ConditionTexts {...views} span={span} endpoint={endpoint} conditions={conditions.sql} />
      {caller.billed && wrong.length === 0 && !isAsked && (
        <p class="card explore-billed">
          Queries cost money here.
          <button type="button" class="primary" onClick={() => setAgreed(question)}>
            Run
          </button>
        </p>
      )}
      {span !== undefined && (
        <HistogramView
          {...{ histogram, span, step, table, asked, exploration }}
          failure={counts.failure}
          isStale={!counts.isCurrent}
          onRetry={counts.retry}
          onRange={(drawn) => {
            const range = fixedRange(drawn);
            if (range !== undefined) change({ range });
          }}
        />
      )}
      <div class="explore-body">
        <FacetList
          {...views}
          {...{ asked, refresh, total }}
          conditions={conditions.sql}
          isAsked={isAsked}
          onFilter={add}
        />
        <RowsView {...views} {...{ asked, rows, total }} tables={endpoint.tables} onFilter={add} />
      </div>
    </section>
  );
}
