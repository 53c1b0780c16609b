import { useId } from 'preact/hooks';
import { oneLine } from '../text/cell-text.ts';
import { type ChartChoice, type ChartType, chartTypes } from './chart-choice.ts';
import { type ColumnKind, columnsOfKind, type KnownColumn } from './chart-columns.ts';

interface ChartToolsProps {
  readonly choice: ChartChoice;
  readonly columns: readonly KnownColumn[];
  readonly onChoice: (choice: ChartChoice) => void;
}

const typeNames: Readonly<Record<ChartType, string>> = {
  bars: 'Bars',
  lines: 'Lines',
  area: 'Area',
  number: 'Number',
};

/** What a chart shows, to choose: its type, and the columns of its axes and series. */
export function ChartTools({ choice, columns, onChoice }: ChartToolsProps) {
  const id = useId();
  const of = (...kinds: readonly ColumnKind[]) => columnsOfKind(columns, ...kinds);
  const across = of('time', 'category');
  const isTime = (x: string) => of('time').some(({ name }) => name === x);
  const types = chartTypes.filter((type) =>
    type === 'bars' ? across.length > 0 : type === 'number' || of('time').length > 0,
  );
  const choose = (type: ChartType) => {
    const first = type === 'bars' ? across[0] : of('time')[0];
    const keeps = type === 'bars' ? choice.x !== '' : isTime(choice.x);
    onChoice({ ...choice, type, ...(!keeps && type !== 'number' && { x: first?.name ?? '' }) });
  };
  const toggle = (name: string) => {
    const y = of('number')
      .map((column) => column.name)
      .filter((column) => (column === name) !== choice.y.includes(column));
    onChoice({ ...choice, y });
  };
  return (
    <div class="chart-tools">
      <label for={`${id}-type`}>
        <span class="quiet">Type</span>
        <select
          id={`${id}-type`}
          value={choice.type}
          onChange={({ currentTarget }) =>
            choose(types.find((type) => type === currentTarget.value) ?? choice.type)
          }
        >
          {types.map((type) => (
            <option key={type} value={type}>
              {typeNames[type]}
            </option>
          ))}
        </select>
      </label>
      {choice.type !== 'number' && (
        <ColumnSelect
          label="X"
          value={choice.x}
          columns={across}
          onSelect={(x = '') =>
            onChoice({
              ...choice,
              x,
              type: isTime(x) ? choice.type : 'bars',
              series: choice.series === x ? undefined : choice.series,
            })
          }
        />
      )}
      <fieldset class="chips">
        <legend class="quiet">Y</legend>
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
            <bdi>{oneLine(name)}</bdi>
          </button>
        ))}
      </fieldset>
      {choice.type !== 'number' && of('category').some(({ name }) => name !== choice.x) && (
        <ColumnSelect
          label="Series"
          value={choice.series}
          columns={of('category').filter(({ name }) => name !== choice.x)}
          none="None"
          onSelect={(series) => onChoice({ ...choice, series })}
        />
      )}
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
            {oneLine(name)}
          </option>
        ))}
      </select>
    </label>
  );
}
