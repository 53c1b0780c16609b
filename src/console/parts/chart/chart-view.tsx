import { useMemo, useState } from 'preact/hooks';
import type { JsonObject } from '../../api/json.ts';
import { Empty } from '../faces/faces.tsx';
import type { TableColumn } from '../table/table-column.ts';
import { oneLine } from '../text/cell-text.ts';
import type { TimeRange } from '../time/time-range.ts';
import { CategoryChart } from './category-chart.tsx';
import { categoryData } from './category-data.ts';
import type { ChartChoice, ChartType } from './chart-choice.ts';
import { fits, type KnownColumn, knownColumns, proposeChart } from './chart-columns.ts';
import { type BeforeRows, timeData, totals } from './chart-data.ts';
import { ChartTools } from './chart-tools.tsx';
import { NumberChart } from './number-chart.tsx';
import { TimeChart } from './time-chart.tsx';
import { type Unit, unitOf } from './units.ts';

interface ChartViewProps {
  readonly label: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly JsonObject[];
  /** What to draw. Undefined, or of columns that are not there: the chart that suits the columns best. */
  readonly choice?: ChartChoice | undefined;
  /** Called with what the user has chosen. Without it, the choice lasts as long as the chart. */
  readonly onChoice?: ((choice: ChartChoice) => void) | undefined;
  /** Draws without tools to choose. */
  readonly readOnly?: boolean;
  /** Called with the span of time that the user has drawn. */
  readonly onRange?: ((range: TimeRange) => void) | undefined;
  /** The rows of the period before, to compare with. */
  readonly before?: BeforeRows | undefined;
  /** Of a chart over time, in pixels. */
  readonly height?: number | undefined;
  /** The span of time whose rows are there: time outside of it is hatched. */
  readonly loaded?: TimeRange | undefined;
}

/** A chart of rows, over columns that the user can choose. */
export function ChartView({ label, columns, rows, readOnly = false, ...given }: ChartViewProps) {
  const { onRange, before, loaded, height } = given;
  const known = useMemo(() => knownColumns(columns, rows), [columns, rows]);
  const [own, setOwn] = useState<ChartChoice>();
  // Other columns need another chart; other rows with the same columns keep the one that was chosen.
  const chosen = [given.choice, own].find((one) => one !== undefined && fits(one, known));
  const choice = useMemo(() => chosen ?? proposeChart(known, rows.length), [chosen, known, rows]);
  const choose = (next: ChartChoice) => {
    setOwn(next);
    given.onChoice?.(next);
  };

  if (rows.length === 0) return <Empty title="No rows" />;
  if (choice === undefined) {
    return (
      <Empty title="Nothing to plot">
        <p class="quiet">A chart needs a column of times, of numbers or of categories.</p>
      </Empty>
    );
  }
  return (
    <figure class={readOnly ? 'chart-view' : 'card chart-view'}>
      {!readOnly && <ChartTools choice={choice} columns={known} onChoice={choose} />}
      <Chart {...{ label, rows, choice, onRange, before, loaded, height, columns: known }} />
    </figure>
  );
}

interface ChartProps
  extends Pick<ChartViewProps, 'label' | 'rows' | 'onRange' | 'before' | 'loaded' | 'height'> {
  readonly choice: ChartChoice;
  readonly columns: readonly KnownColumn[];
}

function Chart({ label, columns, ...props }: ChartProps) {
  const { choice, rows, before } = props;
  const { type, x, y } = choice;
  const isTime = columns.some(({ name, kinds: [kind] }) => name === x && kind === 'time');
  if (type === 'number') {
    return <NumberChart label={label} totals={totals(rows, y)} before={before && totals(before.rows, y)} />;
  }
  const names = { x: oneLine(x), y: oneLine(y.join(', ') || 'rows') };
  const shared = { titles: names, unit: unitOf(y), label: `${names.y} by ${names.x}: ${label}` };
  return isTime ? <TimeSeries {...props} {...shared} type={type} /> : <Categories {...props} {...shared} />;
}

interface DrawnProps extends Omit<ChartProps, 'columns'> {
  readonly titles: { readonly x: string; readonly y: string };
  readonly unit: Unit | undefined;
}

function TimeSeries(props: DrawnProps & { readonly type: Exclude<ChartType, 'number'> }) {
  const { rows, choice, before, ...others } = props;
  const data = useMemo(() => timeData(rows, choice), [rows, choice]);
  const dataBefore = useMemo(() => before && timeData(before.rows, choice, before.shift), [before, choice]);
  return (
    <>
      <TimeChart {...others} data={data} before={dataBefore} />
      <Omitted count={data.omitted} />
    </>
  );
}

function Categories({ rows, choice, before, titles, unit, label }: DrawnProps) {
  const data = useMemo(() => categoryData(rows, choice), [rows, choice]);
  const dataBefore = useMemo(() => before && categoryData(before.rows, choice), [before, choice]);
  return (
    <>
      <CategoryChart {...{ label, data, unit }} before={dataBefore} across={titles.x} />
      <Omitted count={data.omitted} />
    </>
  );
}

function Omitted({ count }: { readonly count: number }) {
  return count > 0 && <p class="quiet">{count} more are not drawn.</p>;
}
