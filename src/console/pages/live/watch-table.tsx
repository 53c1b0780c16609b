import { useRef, useState } from 'preact/hooks';
import type { Endpoint } from '../../api/endpoints.ts';
import { mistakesOf } from '../../parts/parameters/parameter-mistakes.ts';
import {
  addressPairs,
  initialValues,
  missingParameters,
  type ParameterValues,
  pairsOf,
} from '../../parts/parameters/parameter-values.ts';
import { rewriteAddress } from '../../router/use-route.ts';
import type { Session } from '../../session/session.ts';
import { withTerm } from './filter/lql-term.ts';
import { type TailCall, useTail } from './tail/use-tail.ts';
import { TailForm } from './tail-form.tsx';
import { TailView } from './tail-view.tsx';

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
    // What costs money on BigQuery runs when it is asked for.
    const runsAtOnce =
      session.caller.engine === 'duckdb' && missingParameters(endpoint.parameters, values).length === 0;
    return runsAtOnce ? { endpoint, table, values, lql: lql.trim() } : undefined;
  });
  const tail = useTail(session.client, call);
  const { stream } = tail.watched;
  const failure = call !== undefined && stream.state === 'ended' ? stream.failure : undefined;
  const filter = useRef<HTMLInputElement>(null);

  const watch = (text: string, given: ParameterValues) => {
    const without = missingParameters(endpoint.parameters, given);
    setMissing(without);
    if (without.length > 0) return;
    const next = { endpoint, table, values: given, lql: text.trim() };
    rewriteAddress({
      page: 'live',
      endpoint: endpoint.name,
      table,
      values: addressOf(next, session.client.key),
    });
    setCall(next);
  };

  const addTerm = (term: string) => {
    const next = withTerm(lql, term);
    setLql(next);
    watch(next, values);
    filter.current?.focus();
  };

  const fields = [...endpoint.parameters.map(({ name }) => name), 'lql'];
  const mistakes = mistakesOf(failure, missing, fields);
  return (
    <>
      <TailForm
        endpoint={endpoint}
        values={values}
        onValues={setValues}
        lql={lql}
        onLql={setLql}
        filter={filter}
        mistakes={mistakes}
        onWatch={() => watch(lql, values)}
      />
      <TailView
        tail={tail}
        label={table}
        hasCall={call !== undefined}
        failure={failure}
        isAtField={mistakes.some(({ message }) => message === failure?.message)}
        columns={endpoint.tables.find(({ name }) => name === table)?.columns ?? []}
        onFilter={addTerm}
        onRetry={() => call && setCall({ ...call })}
      />
    </>
  );
}

function addressOf({ values, lql }: TailCall, key: string): URLSearchParams {
  return addressPairs([...pairsOf(values), ...(lql === '' ? [] : [['lql', lql] as const])], key);
}
