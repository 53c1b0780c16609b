import { useId } from 'preact/hooks';
import type { BoardPanel, BoardPlace } from '../../api/boards.ts';
import { gridColumns } from '../../parts/boards/places.ts';

interface PanelEditorProps {
  readonly panel: BoardPanel;
  readonly place: BoardPlace;
  readonly onChange: (panel: BoardPanel) => void;
  readonly onPlace: (place: BoardPlace) => void;
  readonly onRemove: () => void;
}

const moves = [
  { text: '←', name: 'left', by: { column: -1, row: 0 } },
  { text: '→', name: 'right', by: { column: 1, row: 0 } },
  { text: '↑', name: 'up', by: { column: 0, row: -1 } },
  { text: '↓', name: 'down', by: { column: 0, row: 1 } },
] as const;

/** What changes a panel: its title, its place, its values, and whether it is a table. */
export function PanelEditor({ panel, place, onChange, onPlace, onRemove }: PanelEditorProps) {
  const id = useId();
  const isTable = panel.chart?.type === 'table';
  const { chart: _, ...others } = panel;
  return (
    <div class="panel-editor">
      <label for={`${id}-title`}>
        <span class="quiet">Title</span>
        <input
          id={`${id}-title`}
          value={panel.title}
          onInput={({ currentTarget }) => onChange({ ...panel, title: currentTarget.value || ' ' })}
        />
      </label>
      <label for={`${id}-form`}>
        <span class="quiet">Shown as</span>
        <select
          id={`${id}-form`}
          value={isTable ? 'table' : 'chart'}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.value === 'table' ? { ...panel, chart: { type: 'table' } } : others)
          }
        >
          <option value="chart">Chart</option>
          <option value="table">Table</option>
        </select>
      </label>
      <Count
        label="Width"
        value={place.width}
        max={gridColumns}
        onValue={(width) => onPlace({ ...place, width })}
      />
      <Count
        label="Height"
        value={place.height}
        max={50}
        onValue={(height) => onPlace({ ...place, height })}
      />
      <span class="actions">
        {moves.map(({ text, name, by }) => (
          <button
            key={name}
            type="button"
            aria-label={`Move ${name}`}
            onClick={() => onPlace({ ...place, column: place.column + by.column, row: place.row + by.row })}
          >
            {text}
          </button>
        ))}
        <button type="button" class="danger" onClick={onRemove}>
          Remove
        </button>
      </span>
      {Object.entries(panel.parameters ?? {}).map(
        ([name, value]) =>
          typeof value === 'string' && (
            <label key={name} for={`${id}-${name}`}>
              <bdi class="quiet">{name}</bdi>
              <input
                id={`${id}-${name}`}
                value={value}
                // Each value is a call.
                onChange={({ currentTarget }) =>
                  onChange({ ...panel, parameters: { ...panel.parameters, [name]: currentTarget.value } })
                }
              />
            </label>
          ),
      )}
    </div>
  );
}

interface CountProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly onValue: (value: number) => void;
}

function Count({ label, value, max, onValue }: CountProps) {
  const id = useId();
  return (
    <label for={id}>
      <span class="quiet">{label}</span>
      <input
        id={id}
        type="number"
        min={1}
        max={max}
        value={value}
        onChange={({ currentTarget }) => onValue(Number(currentTarget.value))}
      />
    </label>
  );
}
