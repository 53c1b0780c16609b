import { useId } from 'preact/hooks';
import { FailureFace } from '../../../parts/faces/faces.tsx';
import { oneLine } from '../../../parts/text/cell-text.ts';
import { counted } from '../../../parts/text/number-text.ts';
import { type Asked, useAnswer } from '../asked/use-answer.ts';
import type { Facet, Filter } from '../question/exploration.ts';
import { type ExploredTable, lastName, type Reached } from '../question/explored-table.ts';
import {
  everyOf,
  type FacetValue,
  type FacetValues,
  facetExclusion,
  facetFilter,
  facetSql,
  facetValues,
} from '../question/facet-query.ts';

/** Which rows facets are about, and where to ask. */
export interface FacetScope {
  readonly table: ExploredTable;
  readonly asked: Asked;
  readonly refresh: number;
  /** The rows that the filters leave. Undefined until they are counted. */
  readonly total: number | undefined;
  readonly conditions: readonly string[];
  readonly isAsked: boolean;
  readonly onFilter: (filter: Filter) => void;
}

interface FacetViewProps extends FacetScope {
  readonly facet: Facet;
  /** Of `ofRow`. */
  readonly field: Reached;
  /** Called with what the facet becomes: undefined closes it. */
  readonly onFacet: (facet: Facet | undefined) => void;
}

/** The most frequent values of a field among the rows that the filters leave. A click on one shows only its rows. */
export function FacetView(props: FacetViewProps) {
  const { table, facet, field, asked, refresh, total, conditions, isAsked, onFacet, onFilter } = props;
  const id = useId();
  const every = everyOf(total ?? 0, table);
  // How many rows there are says how many of them to count.
  const text =
    isAsked && total !== undefined && total > 0
      ? facetSql(table, facet, field, conditions, every)
      : undefined;
  const { answer, isCurrent, failure, retry } = useAnswer(asked, text, refresh);
  const found = answer === undefined || total === 0 ? undefined : facetValues(answer.rows);
  const hasSlashes = found?.values.some(({ value }) => value?.includes('/')) === true;
  return (
    <section class="explore-facet" aria-labelledby={id} aria-busy={text !== undefined && !isCurrent}>
      <header>
        <h2 id={id} title={facet.path}>
          <bdi>{lastName(facet.path)}</bdi>
        </h2>
        {field.type === 'STRING' && (facet.parts > 0 || hasSlashes) && (
          <select
            aria-label={`Values of ${facet.path}`}
            value={facet.parts}
            onChange={({ currentTarget }) => onFacet({ ...facet, parts: Number(currentTarget.value) })}
          >
            <option value={0}>whole</option>
            {[1, 2, 3].map((parts) => (
              <option key={parts} value={parts}>
                {'/…'.repeat(parts)}
              </option>
            ))}
          </select>
        )}
        <button type="button" aria-label={`Close ${facet.path}`} onClick={() => onFacet(undefined)}>
          ✕
        </button>
      </header>
      <p class="quiet explore-path">
        <bdi>{facet.path}</bdi>
      </p>
      {failure !== undefined && <FailureFace failure={failure} onRetry={retry} />}
      {failure === undefined && total === 0 && <p class="quiet">No rows.</p>}
      {failure === undefined && total !== 0 && found === undefined && <p class="quiet">Counting…</p>}
      {failure === undefined && found !== undefined && (
        <div class={isCurrent ? '' : 'explore-stale'}>
          <ul>
            {found.values.map((value) => (
              <ValueItem
                key={value.value ?? '\0'}
                value={value}
                counted={found.counted}
                onOnly={() => onFilter(facetFilter(facet, value.value))}
                onExclude={() => onFilter(facetExclusion(facet, value.value))}
              />
            ))}
          </ul>
          <p class="quiet explore-facts">
            {factsOf(found, every > 1, field.lists.length > 0)}
            {found.least !== null && (
              <>
                {' '}
                From <bdi>{shortened(found.least)}</bdi> to <bdi>{shortened(found.greatest ?? '')}</bdi>.
              </>
            )}
          </p>
        </div>
      )}
    </section>
  );
}

function factsOf(
  { different, counted: rows, values }: FacetValues,
  isSample: boolean,
  isList: boolean,
): string {
  const hidden = different - values.filter(({ value }) => value !== null).length;
  const what = counted(different, 'value');
  const of = isSample
    ? ` of a sample of ${rows.toLocaleString('en')} rows spread over the range`
    : isList
      ? ` in ${rows.toLocaleString('en')} elements`
      : '';
  return `${what}${of}${hidden > 0 ? `, ${hidden.toLocaleString('en')} of them not shown` : ''}.`;
}

interface ValueItemProps {
  readonly value: FacetValue;
  readonly counted: number;
  readonly onOnly: () => void;
  readonly onExclude: () => void;
}

function ValueItem({ value: { value, rows }, counted: all, onOnly, onExclude }: ValueItemProps) {
  const name = value === null ? 'no value' : value === '' ? 'empty text' : shortened(value);
  const part = all === 0 ? 0 : rows / all;
  return (
    <li class="explore-value">
      <button type="button" class="explore-only" title={`Only ${name}`} onClick={onOnly}>
        <bdi class={value === null || value === '' ? 'quiet' : ''}>{name}</bdi>
        <span class="explore-count">{rows.toLocaleString('en')}</span>
        <span class="explore-share" aria-hidden="true" style={{ width: `${100 * part}%` }} />
      </button>
      <button type="button" aria-label={`Exclude ${name}`} title={`Exclude ${name}`} onClick={onExclude}>
        −
      </button>
    </li>
  );
}

function shortened(text: string): string {
  return oneLine(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}
