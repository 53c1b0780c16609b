import type { ComponentChildren } from 'preact';
import type { BoardChart, BoardPanel, BoardPlace } from '../../api/boards.ts';
import type { Client } from '../../api/client.ts';
import type { Endpoint } from '../../api/endpoints.ts';
import type { JsonObject } from '../../api/json.ts';
import type { Call } from '../../parts/answer/answer.ts';
import { chartOf, choiceOf } from '../../parts/boards/panel-of.ts';
import { chartPairs } from '../../parts/chart/chart-choice.ts';
import { ChartView } from '../../parts/chart/chart-view.tsx';
import { Empty, FailureFace, Loading } from '../../parts/faces/faces.tsx';
import { addressPairs, pairsOf } from '../../parts/parameters/parameter-values.ts';
import { DataTable } from '../../parts/table/data-table.tsx';
import { columnsOf } from '../../parts/table/table-column.ts';
import { oneLine } from '../../parts/text/cell-text.ts';
import type { TimeRange } from '../../parts/time/time-range.ts';
import { formatRoute } from '../../router/route.ts';
import { useRows } from './use-rows.ts';

interface PanelViewProps {
  readonly client: Client;
  readonly panel: BoardPanel;
  readonly place: BoardPlace;
  /** Undefined calls nothing yet. */
  readonly call: Call | undefined;
  readonly endpoint: Endpoint | undefined;
  readonly turn: number;
  readonly isLive: boolean;
  readonly onRange: (range: TimeRange) => void;
  /** Called with another chart. Without it, the chart is as the file has it. */
  readonly onChart: ((chart: BoardChart) => void) | undefined;
  /** What changes the panel. */
  readonly children?: ComponentChildren;
}

/** A panel with its rows, as a chart, a number or a table. */
export function PanelView(props: PanelViewProps) {
  const { client, panel, place, call, endpoint, turn, isLive, onRange, onChart, children } = props;
  const { rows, isTruncated, failure, isOutdated, retry } = useRows(client, call, { turn, isLive });
  const title = oneLine(panel.title);
  return (
    <PanelFrame
      title={call === undefined ? title : <a href={linkOf(panel, call, client.key)}>{title}</a>}
      place={place}
    >
      {children}
      {failure !== undefined ? (
        <FailureFace failure={failure} onRetry={retry} />
      ) : rows === undefined ? (
        call === undefined ? (
          <Empty title="Not run yet" />
        ) : (
          <Loading what={`Loading ${title}`} />
        )
      ) : (
        <div class={isOutdated ? 'panel-rows outdated' : 'panel-rows'} aria-busy={isOutdated}>
          <Rows {...{ panel, place, rows, endpoint, onRange, onChart }} />
          {isTruncated && (
            <p class="quiet">There are more rows than the endpoint gives: these are the first.</p>
          )}
        </div>
      )}
    </PanelFrame>
  );
}

interface PanelFrameProps {
  readonly title: ComponentChildren;
  readonly place: BoardPlace;
  readonly children: ComponentChildren;
}

/** A panel in its place. */
export function PanelFrame({ title, place, children }: PanelFrameProps) {
  const { column, row, width, height } = place;
  return (
    <section
      class="card panel"
      style={{
        '--column': column,
        '--row': row,
        '--width': width,
        '--height': height,
        order: row * 100 + column,
      }}
    >
      <h2>
        <bdi>{title}</bdi>
      </h2>
      {children}
    </section>
  );
}

interface RowsProps extends Pick<PanelViewProps, 'panel' | 'place' | 'endpoint' | 'onRange' | 'onChart'> {
  readonly rows: readonly JsonObject[];
}

/** As in the style sheet: a row of the grid with its gap, and what a chart has around it. */
const [rowPixels, aroundChart] = [80, 190];
const leastPixels = 120;

function Rows({ panel, place, rows, endpoint, onRange, onChart }: RowsProps) {
  const isQuery = panel.sql !== undefined || panel.lql !== undefined;
  const columns = isQuery || endpoint === undefined ? columnsOf(rows) : endpoint.columns;
  if (rows.length === 0) return <Empty title="No rows" />;
  if (panel.chart?.type === 'table') return <DataTable label={panel.title} columns={columns} rows={rows} />;
  return (
    <ChartView
      {...{ columns, rows, onRange }}
      label={panel.title}
      choice={choiceOf(panel.chart)}
      onChoice={onChart && ((choice) => onChart(chartOf(choice)))}
      readOnly={onChart === undefined}
      height={Math.max(leastPixels, place.height * rowPixels - aroundChart)}
    />
  );
}

/** The page of what a panel calls, with the same values and the same chart. */
function linkOf({ chart }: BoardPanel, { endpoint, values, query }: Call, key: string): string {
  const choice = choiceOf(chart);
  const own = query === undefined ? [] : [[query.language, query.text] as const];
  const pairs = [...own, ...pairsOf(values), ...(choice === undefined ? [] : chartPairs(choice))];
  const search = addressPairs(pairs, key);
  return formatRoute(
    query === undefined
      ? { page: 'endpoint', endpoint: endpoint.name, values: search }
      : { page: 'query', endpoint: endpoint.name, values: search },
  );
}
