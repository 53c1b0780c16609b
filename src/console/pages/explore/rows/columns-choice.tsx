import { useState } from 'preact/hooks';
import type { ExploredTable } from '../question/explored-table.ts';

interface ColumnsChoiceProps {
  readonly table: ExploredTable;
  readonly chosen: readonly string[];
  readonly isDefault: boolean;
  /** Undefined: as they are at first. */
  readonly onChoice: (paths: readonly string[] | undefined) => void;
}

const shownFields = 100;

/** Which fields the table of rows shows. */
export function ColumnsChoice({ table, chosen, isDefault, onChoice }: ColumnsChoiceProps) {
  const [search, setSearch] = useState('');
  const word = search.trim().toLowerCase();
  const others = chosen.filter((path) => path !== table.time);
  const paths = [...new Set([...others, ...table.fields.map(({ path }) => path)])];
  const found = paths.filter((path) => path.toLowerCase().includes(word));
  return (
    <details class="explore-columns">
      <summary>Columns</summary>
      <div class="card">
        <input
          type="search"
          class="wide"
          aria-label="Search columns"
          placeholder="Search columns"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <ul>
          {found.slice(0, shownFields).map((path) => (
            <li key={path}>
              <label>
                <input
                  type="checkbox"
                  checked={others.includes(path)}
                  onChange={({ currentTarget }) =>
                    onChoice(
                      currentTarget.checked ? [...others, path] : others.filter((other) => other !== path),
                    )
                  }
                />{' '}
                <bdi>{path}</bdi>
              </label>
            </li>
          ))}
        </ul>
        {found.length > shownFields && (
          <p class="quiet">{found.length - shownFields} more: search for their names.</p>
        )}
        {!isDefault && (
          <button type="button" onClick={() => onChoice(undefined)}>
            As at first
          </button>
        )}
      </div>
    </details>
  );
}
