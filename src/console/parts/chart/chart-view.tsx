import { useMemo, useState } from 'preact/hooks';
import type { JsonObject } from '../../api/json.ts';
import { Empty } from '../faces/faces.tsx';
import type { TableColumn } from '../table/table-column.ts';
import type { TimeRange } from '../time/time-range.ts';
import { CategoryChart } from './category-chart.tsx';
import type { ChartChoice } from './chart-choice.ts';
import { fits, type KnownColumn, knownColumns, proposeChart } from './chart-columns.ts';
import { categoryData, timeData, totals } from './chart-data.ts';
import { ChartTools } from './chart-tools.tsx';
import { NumberChart } from './number-chart.tsx';
import { TimeChart } from './time-chart.tsx';

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
}

/** A chart of rows, over columns that the user can choose. */
export function ChartView({ label, columns, rows, readOnly = false, onRange, ...given }: ChartViewProps) {
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
      <Chart {...{ label, rows, choice, onRange, columns: known }} />
    </figure>
  );
}

interface ChartProps extends Pick<ChartViewProps, 'label' | 'rows' | 'onRange'> {
  readonly choice: ChartChoice;
  readonly columns: readonly KnownColumn[];
}

function Chart({ label, rows, choice, columns, onRange }: ChartProps) {
  const { type, x, y } = choice;
  const isTime = columns.some(({ name, kind }) => name === x && kind === 'time');
  if (type === 'number') return <NumberChart totals={totals(rows, y)} label={label} />;
  const text = `${y.join(', ') || 'Rows'} by ${x}: ${label}`;
  return isTime ? (
    <TimeSeries {...{ rows, choice, type, onRange }} label={text} />
  ) : (
    <Categories {...{ rows, choice }} label={text} />
  );
}

interface TimeSeriesProps extends Pick<ChartViewProps, 'label' | 'rows' | 'onRange'> {
  readonly choice: ChartChoice;
  readonly type: Exclude<ChartChoice['type'], 'number'>;
}

function TimeSeries({ label, rows, choice, type, onRange }: TimeSeriesProps) {
  const data = useMemo(() => timeData(rows, choice), [rows, choice]);
  return (
    <>
      <TimeChart {...{ data, type, label, onRange }} />
      <Omitted count={data.omitted} />
    </>
  );
}

function Categories({ label, rows, choice }: Omit<TimeSeriesProps, 'type' | 'onRange'>) {
  const { bars, omitted } = useMemo(() => categoryData(rows, choice), [rows, choice]);
  return (
    <>
      <CategoryChart bars={bars} label={label} />
      <Omitted count={omitted} />
    </>
  );
}

function Omitted({ count }: { readonly count: number }) {
  return count > 0 && <p class="quiet">{count} more are not drawn.</p>;
}
