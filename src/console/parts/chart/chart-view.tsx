import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import type { JsonObject } from '../../api/json.ts';
import { Empty } from '../faces/faces.tsx';
import type { TableColumn } from '../table/table-column.ts';
import type { TimeRange } from '../time/time-range.ts';
import { type ChartChoice, type KnownColumn, knownColumns, proposeChart } from './chart-choice.ts';
import { type CategoryBar, categoryData, timeData } from './chart-data.ts';
import { TimeChart } from './time-chart.tsx';

interface ChartViewProps {
  readonly label: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly JsonObject[];
  /** Called with the span of time that the user has drawn. */
  readonly onRange?: ((range: TimeRange) => void) | undefined;
}

/** A chart of rows, over columns that the user can choose. */
export function ChartView({ label, columns, rows, onRange }: ChartViewProps) {
  const known = useMemo(() => knownColumns(columns, rows), [columns, rows]);
  const names = known.map(({ name, kind }) => `${kind} ${name}`).join('\n');
  const [choice, setChoice] = useState(() => proposeChart(known, rows.length));
  // Other columns need another chart; other rows with the same columns keep the one that was chosen.
  useEffect(
    () => setChoice((before) => (fits(before, known) ? before : proposeChart(known, rows.length))),
    [names],
  );

  if (rows.length === 0) return <Empty title="No rows" />;
  if (choice === undefined || !fits(choice, known)) {
    return (
      <Empty title="Nothing to plot">
        <p class="quiet">A chart needs a column of times or categories.</p>
      </Empty>
    );
  }
  return (
    <figure class="card chart-view">
      <ChartTools choice={choice} columns={known} onChoice={setChoice} />
      <Chart {...{ label, rows, choice, onRange, columns: known }} />
    </figure>
  );
}

function fits(choice: ChartChoice | undefined, columns: readonly KnownColumn[]): boolean {
  if (choice === undefined) return false;
  const has = (wanted: string, kinds: readonly KnownColumn['kind'][]) =>
    columns.some(({ name, kind }) => name === wanted && kinds.includes(kind));
  const { x, y, series } = choice;
  return (
    has(x, ['time', 'category']) &&
    y.every((column) => has(column, ['number'])) &&
    (series === undefined || has(series, ['category']))
  );
}

interface ChartProps extends Pick<ChartViewProps, 'label' | 'rows' | 'onRange'> {
  readonly choice: ChartChoice;
  readonly columns: readonly KnownColumn[];
}

function Chart({ label, rows, choice, columns, onRange }: ChartProps) {
  const isTime = columns.some(({ name, kind }) => name === choice.x && kind === 'time');
  const times = useMemo(() => (isTime ? timeData(rows, choice) : undefined), [isTime, rows, choice]);
  const categories = useMemo(() => (isTime ? undefined : categoryData(rows, choice)), [isTime, rows, choice]);
  const omitted = times?.omitted ?? categories?.omitted ?? 0;
  const text = `${choice.y.join(', ') || 'Rows'} by ${choice.x}: ${label}`;
  return (
    <>
      {times && <TimeChart data={times} form={choice.form} label={text} onRange={onRange} />}
      {categories && <CategoryChart bars={categories.bars} label={text} />}
      {omitted > 0 && <p class="quiet">{omitted} more are not drawn.</p>}
    </>
  );
}

interface ChartToolsProps {
  readonly choice: ChartChoice;
  readonly columns: readonly KnownColumn[];
  readonly onChoice: (choice: ChartChoice) => void;
}

function ChartTools({ choice, columns, onChoice }: ChartToolsProps) {
  const id = useId();
  const of = (...kinds: readonly KnownColumn['kind'][]) => columns.filter(({ kind }) => kinds.includes(kind));
  const isTime = of('time').some(({ name }) => name === choice.x);
  const toggle = (name: string) => {
    const y = of('number')
      .map((column) => column.name)
      .filter((column) => (column === name) !== choice.y.includes(column));
    onChoice({ ...choice, y: isTime ? y : [name] });
  };
  return (
    <div class="chart-tools">
      {isTime && (
        <label for={`${id}-form`}>
          <span class="quiet">Form</span>
          <select
            id={`${id}-form`}
            value={choice.form}
            onChange={({ currentTarget }) =>
              onChoice({ ...choice, form: currentTarget.value === 'lines' ? 'lines' : 'bars' })
            }
          >
            <option value="bars">Bars</option>
            <option value="lines">Lines</option>
          </select>
        </label>
      )}
      <ColumnSelect
        label="Across"
        value={choice.x}
        columns={of('time', 'category')}
        onSelect={(x = '') =>
          onChoice({ ...choice, x, series: choice.series === x ? undefined : choice.series })
        }
      />
      {isTime && of('category').length > 0 && (
        <ColumnSelect
          label="Split by"
          value={choice.series}
          columns={of('category')}
          none="Nothing"
          onSelect={(series) => onChoice({ ...choice, series })}
        />
      )}
      <fieldset class="chips">
        <legend class="quiet">Numbers</legend>
        <button
          type="button"
          aria-pressed={choice.y.length === 0}
          onClick={() => onChoice({ ...choice, y: [] })}
        >
          Rows
        </button>
        {of('number').map(({ name }) => (
          <button
            key={name}
            type="button"
            aria-pressed={choice.y.includes(name)}
            onClick={() => toggle(name)}
          >
            {name}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

interface ColumnSelectProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly columns: readonly KnownColumn[];
  /** The text of the choice of no column. */
  readonly none?: string;
  readonly onSelect: (name: string | undefined) => void;
}

function ColumnSelect({ label, value, columns, none, onSelect }: ColumnSelectProps) {
  const id = useId();
  return (
    <label for={id}>
      <span class="quiet">{label}</span>
      <select
        id={id}
        value={value ?? ''}
        onChange={({ currentTarget }) => onSelect(currentTarget.value || undefined)}
      >
        {none !== undefined && <option value="">{none}</option>}
        {columns.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface CategoryChartProps {
  readonly label: string;
  readonly bars: readonly CategoryBar[];
}

/** A horizontal bar for each category. */
function CategoryChart({ label, bars }: CategoryChartProps) {
  const most = Math.max(...bars.map(({ value }) => Math.abs(value)), 0);
  return (
    <ul class="bars" aria-label={label}>
      {bars.map(({ name, value }) => (
        <li key={name}>
          <bdi class="bars-name" title={name}>
            {name}
          </bdi>
          <span class="bars-track">
            <span class="bars-bar" style={{ width: `${most === 0 ? 0 : (100 * Math.abs(value)) / most}%` }} />
          </span>
          <span class="bars-value">{value.toLocaleString('en')}</span>
        </li>
      ))}
    </ul>
  );
}
