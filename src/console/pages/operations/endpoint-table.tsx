import { useRef, useState } from 'preact/hooks';
import type { Client } from '../../api/client.ts';
import { isObject } from '../../api/json.ts';
import type { EndpointOperations } from '../../api/operations.ts';
import { CountsList } from '../../parts/counts-list.tsx';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { PlainTable } from '../../parts/plain-table.tsx';
import { counted, durationText, percentText } from '../../parts/text/number-text.ts';
import { formatRoute } from '../../router/route.ts';
import { hitRate, total } from './snapshots.ts';

interface EndpointTableProps {
  readonly client: Client;
  readonly endpoints: readonly EndpointOperations[];
  readonly onPurged: () => void;
}

/** What each endpoint has done, and the purge of its cached results. */
export function EndpointTable({ client, endpoints, onPurged }: EndpointTableProps) {
  const [note, setNote] = useState('');
  /** What to purge: an endpoint, or all. */
  const [asked, setAsked] = useState<{ readonly name?: string }>();
  const status = useRef<HTMLSpanElement>(null);

  const purge = async ({ name }: { readonly name?: string }) => {
    const one = name === undefined ? '' : `/${encodeURIComponent(name)}`;
    const body = await client.json(`/api/endpoints/cache${one}`, { method: 'DELETE' });
    const dropped = isObject(body) && typeof body.dropped === 'number' ? body.dropped : 0;
    setNote(`${counted(dropped, 'cached result')} purged.`);
    onPurged();
  };

  return (
    <>
      <PlainTable
        label="Endpoints"
        heads={['Name', 'Calls', 'Cache hits', 'Queries', 'On average', 'Errors', 'Cached', 'Purge']}
      >
        {endpoints.map(({ name, calls, queries, querySeconds, errors, activity }) => {
          const hits = hitRate(calls);
          const ran = total(queries);
          return (
            <tr key={name}>
              <th scope="row">
                <a href={formatRoute({ page: 'endpoint', endpoint: name, values: new URLSearchParams() })}>
                  {name}
                </a>
              </th>
              <td>{total(calls).toLocaleString('en')}</td>
              <td>{hits === undefined ? '–' : percentText(hits)}</td>
              <td>{ran.toLocaleString('en')}</td>
              <td>{ran === 0 ? '–' : durationText((querySeconds * 1000) / ran)}</td>
              <td class={total(errors) > 0 ? 'mistake' : ''}>
                <CountsList counts={errors} />
              </td>
              <td>{activity?.cachedResults.toLocaleString('en') ?? '–'}</td>
              <td>
                <button
                  type="button"
                  aria-label={`Purge the cached results of ${name}`}
                  onClick={() => setAsked({ name })}
                >
                  Purge
                </button>
              </td>
            </tr>
          );
        })}
      </PlainTable>
      <p class="table-tools">
        <button type="button" onClick={() => setAsked({})}>
          Purge all
        </button>
        <span class="quiet" role="status" ref={status} tabIndex={-1}>
          {note}
        </span>
      </p>
      {asked && (
        <ConfirmDialog
          title={
            asked.name === undefined
              ? 'Purge all cached results?'
              : `Purge the cached results of ${asked.name}?`
          }
          action="Purge"
          onConfirm={() => purge(asked)}
          onClose={() => setAsked(undefined)}
          returnTo={status}
        >
          <p>The next calls ask the engine.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
