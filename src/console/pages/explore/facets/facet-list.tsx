import { useState } from 'preact/hooks';
import type { Exploration, Facet } from '../question/exploration.ts';
import { isComparable, reach } from '../question/explored-table.ts';
import { facetOf, likelyFacets } from '../question/likely-fields.ts';
import { type FacetScope, FacetView } from './facet-view.tsx';

interface FacetListProps extends FacetScope {
  readonly exploration: Exploration;
  readonly change: (changed: Partial<Exploration>) => void;
}

/** More fields than this are found by their names. */
const shownFields = 40;

/** The fields of a table: the values of those that are open. */
export function FacetList(props: FacetListProps) {
  const { table, exploration, change } = props;
  const [isOpen, setOpen] = useState(() => matchMedia('(min-width: 861px)').matches);
  const [search, setSearch] = useState('');
  const open = exploration.facets ?? likelyFacets(table);
  const setFacets = (facets: readonly Facet[]) => change({ facets });
  const word = search.trim().toLowerCase();
  const closed = table.fields.filter(
    ({ path, type }) =>
      isComparable(type) && !open.some((facet) => facet.path === path) && path.toLowerCase().includes(word),
  );
  return (
    <details
      class="explore-facets"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Fields</summary>
      {isOpen && (
        <>
          {open.map((facet) => {
            const field = reach(table.ofRow, facet.path);
            return field === undefined ? (
              <p key={facet.path} class="mistake">
                {table.name} has no field <bdi>{facet.path}</bdi>.
              </p>
            ) : (
              <FacetView
                key={facet.path}
                {...props}
                facet={facet}
                field={field}
                onFacet={(changed) =>
                  setFacets(
                    open.flatMap((one) =>
                      one.path !== facet.path ? [one] : changed === undefined ? [] : [changed],
                    ),
                  )
                }
              />
            );
          })}
          <input
            type="search"
            class="wide"
            aria-label="Search fields"
            placeholder="Search fields"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
          <ul class="explore-fields">
            {closed.slice(0, shownFields).map(({ path, type }) => (
              <li key={path}>
                <button
                  type="button"
                  aria-expanded={false}
                  onClick={() => setFacets([...open, facetOf(path)])}
                >
                  <bdi>{path}</bdi>
                </button>
                <span class="quiet">{type}</span>
              </li>
            ))}
          </ul>
          {closed.length > shownFields && (
            <p class="quiet">{closed.length - shownFields} more fields: search for their names.</p>
          )}
        </>
      )}
    </details>
  );
}
