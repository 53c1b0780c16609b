import { useId, useState } from 'preact/hooks';
import { oneLine } from '../../parts/text/cell-text.ts';
import {
  type Exploration,
  type Filter,
  formatFilter,
  type Operator,
  operators,
  takesValue,
} from './question/exploration.ts';
import type { ExploredTable } from './question/explored-table.ts';
import { filterText, operatorWords } from './question/filter-text.ts';

interface FilterBarProps {
  readonly table: ExploredTable;
  readonly exploration: Exploration;
  readonly change: (changed: Partial<Exploration>) => void;
  readonly onFilter: (filter: Filter) => void;
}

/** The filters, each with a button that removes it, and a form for another one. */
export function FilterBar({ table, exploration, change, onFilter }: FilterBarProps) {
  const { filters, sql, lql } = exploration;
  const remove = (removed: Filter) => change({ filters: filters.filter((filter) => filter !== removed) });
  const count = filters.length + Number(sql !== '') + Number(lql !== '');
  return (
    <div class="explore-filters">
      <ul class="explore-chips" aria-label="Filters">
        {filters.map((filter) => (
          <Chip key={formatFilter(filter)} text={filterText(filter)} onRemove={() => remove(filter)} />
        ))}
        {lql !== '' && <Chip text={`LQL: ${lql}`} onRemove={() => change({ lql: '' })} />}
        {sql !== '' && <Chip text={`SQL: ${sql}`} onRemove={() => change({ sql: '' })} />}
        {count > 1 && (
          <li>
            <button type="button" onClick={() => change({ filters: [], sql: '', lql: '' })}>
              Clear filters
            </button>
          </li>
        )}
      </ul>
      <FilterForm table={table} onFilter={onFilter} />
    </div>
  );
}

function Chip({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) {
  const shown = oneLine(text.slice(0, 300));
  return (
    <li class="explore-chip">
      <bdi title={shown}>{shown}</bdi>
      <button type="button" aria-label={`Remove the filter ${shown}`} onClick={onRemove}>
        ✕
      </button>
    </li>
  );
}

function FilterForm({ table, onFilter }: Pick<FilterBarProps, 'table' | 'onFilter'>) {
  const id = useId();
  const [path, setPath] = useState('');
  const [operator, setOperator] = useState<Operator>('=');
  const [value, setValue] = useState('');
  const add = (event: Event) => {
    event.preventDefault();
    if (path.trim() === '') return;
    onFilter({ path: path.trim(), operator, value: takesValue(operator) ? value : '' });
    setValue('');
  };
  return (
    <form class="explore-add" onSubmit={add}>
      <input
        aria-label="Field"
        placeholder="Field"
        list={`${id}-fields`}
        value={path}
        onInput={({ currentTarget }) => setPath(currentTarget.value)}
      />
      <datalist id={`${id}-fields`}>
        {table.fields.map((field) => (
          <option key={field.path} value={field.path}>
            {field.type}
          </option>
        ))}
      </datalist>
      <select
        aria-label="Comparison"
        value={operator}
        onChange={({ currentTarget }) =>
          setOperator(operators.find((one) => one === currentTarget.value) ?? '=')
        }
      >
        {operators.map((one) => (
          <option key={one} value={one}>
            {operatorWords[one]}
          </option>
        ))}
      </select>
      {takesValue(operator) && (
        <input
          aria-label="Value"
          placeholder="Value"
          value={value}
          onInput={({ currentTarget }) => setValue(currentTarget.value)}
        />
      )}
      <button type="submit" disabled={path.trim() === ''}>
        Add filter
      </button>
    </form>
  );
}
