import { useRef } from 'preact/hooks';
import type { Endpoint } from '../../api/endpoints.ts';
import { Empty } from '../../parts/faces/faces.tsx';
import { navigate } from '../../router/route.ts';
import { useSession } from '../../session/session.ts';
import { logTable } from './log-table.ts';
import { WatchResult } from './watch-result.tsx';
import { WatchTable } from './watch-table.tsx';

/** What stands for the endpoint's own result among its tables. No table has a name with spaces. */
const itsResult = 'its result';

interface LivePageProps {
  readonly endpoint?: string | undefined;
  readonly table?: string | undefined;
  /** The values of parameters, and `lql`. */
  readonly values: URLSearchParams;
}

/** The tail of a table: its rows as they arrive. */
export default function LivePage({ endpoint: wanted, table: wantedTable, values }: LivePageProps) {
  const session = useSession();
  const endpoints = session.endpoints.filter(({ liveTables }) => liveTables.length > 0);
  const endpoint = wanted === undefined ? endpoints[0] : find(endpoints, wanted);
  const table = wantedTable ?? (endpoint && logTable(endpoint));
  // Each address that is opened begins anew, also one that was opened before.
  const visit = useRef({ values, count: 0 });
  if (visit.current.values !== values) visit.current = { values, count: visit.current.count + 1 };
  const visitKey = `${visit.current.count} ${endpoint?.name} ${table}`;

  const go = (to: Endpoint, next: string | undefined) =>
    navigate({ page: 'live', endpoint: to.name, table: next, values: valuesFor(to, values) });

  if (endpoints.length === 0) {
    return (
      <Empty title="There is nothing to watch">
        <p class="quiet">No endpoint that this key may call has a table whose rows have a time.</p>
      </Empty>
    );
  }
  const isKnown = endpoint !== undefined && table !== undefined && endpoint.liveTables.includes(table);
  return (
    <section class="page live" aria-labelledby="title">
      <div class="page-head">
        <h1 id="title">Live</h1>
        <Choice
          label="Endpoint"
          value={endpoint?.name ?? wanted ?? ''}
          choices={endpoints.map(({ name }) => name)}
          onChoice={(name) => {
            const chosen = find(endpoints, name);
            if (chosen) go(chosen, logTable(chosen));
          }}
        />
        <Choice
          label="Table"
          value={table ?? itsResult}
          choices={[
            ...(endpoint && logTable(endpoint) === undefined ? [itsResult] : []),
            ...(endpoint?.liveTables ?? []),
          ]}
          onChoice={(name) => endpoint && go(endpoint, name === itsResult ? undefined : name)}
        />
      </div>
      {isKnown ? (
        <WatchTable key={visitKey} {...{ session, endpoint, table, values }} />
      ) : endpoint !== undefined && table === undefined ? (
        <WatchResult key={visitKey} {...{ session, endpoint, values }} />
      ) : (
        <Empty
          title={
            endpoint === undefined
              ? `There is no endpoint ${JSON.stringify(wanted)} to watch`
              : `${endpoint.name} has no table ${JSON.stringify(table)} to watch`
          }
        >
          <p class="quiet">Choose another one above.</p>
        </Empty>
      )}
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly string[];
  readonly onChoice: (value: string) => void;
}

function Choice({ label, value, choices, onChoice }: ChoiceProps) {
  const all = choices.includes(value) ? choices : [value, ...choices];
  return (
    <label class="live-choice">
      <span class="quiet">{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChoice(currentTarget.value)}>
        {all.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    </label>
  );
}

function find(endpoints: readonly Endpoint[], wanted: string): Endpoint | undefined {
  return endpoints.find(({ name, id }) => name === wanted || id === wanted);
}

/** Without the filter: other tables have other fields. */
function valuesFor({ parameters }: Endpoint, values: URLSearchParams): URLSearchParams {
  const names = new Set(parameters.map(({ name }) => name));
  return new URLSearchParams([...values].filter(([name]) => names.has(name)));
}
