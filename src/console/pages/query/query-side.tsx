import { useId, useState } from 'preact/hooks';
import type { Table } from '../../../sql/editing/field.ts';
import type { Endpoint } from '../../api/endpoints.ts';
import { ParameterForm } from '../../parts/parameters/parameter-form.tsx';
import type { ParameterValues } from '../../parts/parameters/parameter-values.ts';
import { mistakesOf } from '../../parts/parameters/parameter-values.ts';
import { TableTree } from '../../parts/schema/table-tree.tsx';
import type { Draft } from './drafts/draft.ts';

interface QuerySideProps {
  readonly draft: Draft;
  readonly endpoint: Endpoint | undefined;
  readonly endpoints: readonly Endpoint[];
  readonly tables: readonly Table[];
  readonly failure: unknown;
  /** Required parameters without a value. */
  readonly missing: readonly string[];
  readonly onEndpoint: (endpoint: Endpoint) => void;
  readonly onValues: (values: ParameterValues) => void;
  /** Runs the query with these values. */
  readonly onRun: (values: ParameterValues) => void;
  /** Writes a name into the query. */
  readonly onInsert: (text: string) => void;
}

/** What a query is about: the endpoint, its parameters and its tables. */
export function QuerySide(props: QuerySideProps) {
  const { draft, endpoint, endpoints, tables, failure, missing, onEndpoint, onValues, onRun, onInsert } =
    props;
  const id = useId();
  const fields = endpoint?.parameters.map(({ name }) => name) ?? [];
  const mistakes = mistakesOf(failure, missing, fields);
  const [isOpen, setOpen] = useState(() => matchMedia('(min-width: 861px)').matches);
  return (
    <div class="query-side">
      <div class="parameter">
        <label for={id}>Endpoint</label>
        <select
          id={id}
          value={draft.endpoint}
          aria-invalid={endpoint === undefined}
          onChange={({ currentTarget }) => {
            const next = endpoints.find(({ name }) => name === currentTarget.value);
            if (next !== undefined) onEndpoint(next);
          }}
        >
          {endpoint === undefined && <option value={draft.endpoint}>{draft.endpoint.slice(0, 100)}</option>}
          {endpoints.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        {endpoint === undefined && (
          <p class="mistake">There is no such endpoint, or this key may not query it. Choose another one.</p>
        )}
      </div>
      {endpoint !== undefined && endpoint.parameters.length > 0 && (
        <details
          class="side-part"
          open={isOpen || mistakes.length > 0}
          onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
        >
          <summary>Parameters</summary>
          <ParameterForm
            parameters={endpoint.parameters}
            values={draft.values}
            mistakes={mistakes}
            onChange={onValues}
            onRun={onRun}
          />
        </details>
      )}
      {tables.length > 0 && (
        <details class="side-part">
          <summary>Tables</summary>
          <TableTree tables={tables} language={draft.language} onName={onInsert} />
        </details>
      )}
    </div>
  );
}
