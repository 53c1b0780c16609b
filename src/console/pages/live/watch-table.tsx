import type { RefObject } from 'preact';
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { writtenField } from '../../../sql/editing/field.ts';
import type { Endpoint, EndpointColumn } from '../../api/endpoints.ts';
import { LqlField } from '../../parts/editor/lql-field.tsx';
import { ParameterForm } from '../../parts/parameters/parameter-form.tsx';
import {
  addressPairs,
  initialValues,
  missingParameters,
  mistakesOf,
  type ParameterMistake,
  type ParameterValues,
  pairsOf,
  summaryOf,
} from '../../parts/parameters/parameter-values.ts';
import { valuesNow } from '../../parts/parameters/relative-times.ts';
import { formatRoute, pushAddress, rewriteAddress } from '../../router/route.ts';
import type { Session } from '../../session/session.ts';
import { type FieldChoice, maxColumns } from './field-choice.tsx';
import { withTerm } from './lql-term.ts';
import { exampleFilter } from './rows/fields.ts';
import { type TailCall, useTail } from './tail/use-tail.ts';
import { TailView } from './tail-view.tsx';

const none: readonly EndpointColumn[] = [];

interface WatchTableProps {
  readonly session: Session;
  readonly endpoint: Endpoint;
  readonly table: string;
  /** Of the address. */
  readonly values: URLSearchParams;
}

/** A table: what of it to watch, and its rows. */
export function WatchTable({ session, endpoint, table, values: address }: WatchTableProps) {
  const [values, setValues] = useState(() => initialValues(endpoint.parameters, address));
  const [lql, setLql] = useState(address.get('lql') ?? '');
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [call, setCall] = useState<TailCall | undefined>(() => {
    // What costs money runs when it is asked for.
    const runsAtOnce = !session.caller.billed && missingParameters(endpoint.parameters, values).length === 0;
    return runsAtOnce
      ? { endpoint, table, values: valuesNow(endpoint.parameters, values), lql: lql.trim() }
      : undefined;
  });
  const [choice, setChoice] = useState(() => choiceOf(address));
  const tail = useTail(session.client, call);
  const { stream } = tail.watched;
  const failure = call !== undefined && stream.state === 'ended' ? stream.failure : undefined;
  const filter = useRef<HTMLInputElement>(null);

  const watch = (text: string, given: ParameterValues) => {
    const without = missingParameters(endpoint.parameters, given);
    setMissing(without);
    if (without.length > 0) return;
    pushAddress(routeOf({ values: given, lql: text.trim() }, choice));
    setCall({ endpoint, table, values: valuesNow(endpoint.parameters, given), lql: text.trim() });
  };

  const routeOf = ({ values, lql }: Pick<TailCall, 'values' | 'lql'>, { columns, group }: FieldChoice) => {
    const pairs: (readonly [string, string])[] = [
      ...pairsOf(values),
      ...(lql === '' ? [] : [['lql', lql] as const]),
      ...columns.map((path) => [columnKey, path] as const),
      ...(group === undefined ? [] : [[groupKey, group] as const]),
    ];
    const search = addressPairs(pairs, session.client.key);
    return { page: 'live', endpoint: endpoint.name, table, values: search } as const;
  };
  const choose = (next: FieldChoice) => {
    setChoice(next);
    rewriteAddress(routeOf({ values, lql: lql.trim() }, next));
  };

  const addTerm = (term: string) => {
    const next = withTerm(lql, term);
    setLql(next);
    watch(next, values);
    filter.current?.focus();
  };

  const columns = endpoint.tables.find(({ name }) => name === table)?.columns ?? none;
  const fields = [...endpoint.parameters.map(({ name }) => name), 'lql'];
  const mistakes = mistakesOf(failure, missing, fields);
  return (
    <>
      <TailForm
        endpoint={endpoint}
        columns={columns}
        values={values}
        onValues={setValues}
        lql={lql}
        onLql={setLql}
        filter={filter}
        mistakes={mistakes}
        queryAddress={formatRoute({
          page: 'query',
          endpoint: endpoint.name,
          values: addressPairs([['lql', `f:${table} ${lql}`.trim()], ...pairsOf(values)], session.client.key),
        })}
        onWatch={() => watch(lql, values)}
        onRun={(given) => {
          setValues(given);
          watch(lql, given);
        }}
      />
      <TailView
        tail={tail}
        label={table}
        hasCall={call !== undefined}
        failure={failure}
        isAtField={mistakes.some(({ message }) => message === failure?.message)}
        columns={columns}
        onFilter={addTerm}
        choice={choice}
        onChoice={choose}
        onRetry={() => call && setCall({ ...call })}
      />
    </>
  );
}

/** Names of parameters have no dots. */
const [columnKey, groupKey] = ['live.column', 'live.group'] as const;

function choiceOf(address: URLSearchParams): FieldChoice {
  return {
    columns: address.getAll(columnKey).slice(0, maxColumns),
    group: address.get(groupKey) ?? undefined,
  };
}

interface TailFormProps {
  readonly endpoint: Endpoint;
  /** Of the table. */
  readonly columns: readonly EndpointColumn[];
  readonly values: ParameterValues;
  readonly onValues: (values: ParameterValues) => void;
  readonly lql: string;
  readonly onLql: (lql: string) => void;
  readonly filter: RefObject<HTMLInputElement | null>;
  /** Of the parameters, and of `lql`. */
  readonly mistakes: readonly ParameterMistake[];
  /** The page Query with what is watched. */
  readonly queryAddress: string;
  readonly onWatch: () => void;
  /** Watches with these values. */
  readonly onRun: (values: ParameterValues) => void;
}

/** What to watch of a table: the parameters of its endpoint, and a filter. */
function TailForm(props: TailFormProps) {
  const { endpoint, columns, values, onValues, lql, onLql, filter, mistakes, queryAddress, onWatch, onRun } =
    props;
  const id = useId();
  const example = exampleFilter(columns);
  const table = useMemo(() => ({ name: 'rows', fields: columns.map(writtenField) }), [columns]);
  const mistake = mistakes.find(({ parameter }) => parameter === 'lql')?.message;
  const others = mistakes.filter(({ parameter }) => parameter !== 'lql');
  return (
    <form
      class="card live-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onWatch();
      }}
    >
      <div class="live-filter">
        <label for={`${id}-lql`}>Filter</label>
        <LqlField
          id={`${id}-lql`}
          field={filter}
          value={lql}
          onValue={onLql}
          table={table}
          placeholder={`LQL, for example: ${example}`}
          mistakeId={mistake === undefined ? undefined : `${id}-mistake`}
        />
        <button type="submit" class="primary">
          Watch
        </button>
        {endpoint.sandbox && <a href={queryAddress}>Open in Query</a>}
      </div>
      {mistake !== undefined && (
        <p id={`${id}-mistake`} class="mistake live-mistake" role="alert">
          {mistake}
        </p>
      )}
      {endpoint.parameters.length > 0 && (
        <details class="live-parameters" open={others.length > 0}>
          <summary>
            Parameters <span class="quiet">{summaryOf(values)}</span>
          </summary>
          <ParameterForm
            parameters={endpoint.parameters}
            values={values}
            mistakes={others}
            onChange={onValues}
            onRun={onRun}
          />
        </details>
      )}
    </form>
  );
}
