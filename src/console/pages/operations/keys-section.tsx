import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../../api/failure.ts';
import { type KeyList, parseKeys, type StoredKey } from '../../api/keys.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { FailureFace, Loading } from '../../parts/faces/faces.tsx';
import { useLoad } from '../../parts/loading/use-load.ts';
import { PlainTable } from '../../parts/plain-table.tsx';
import { bytesText } from '../../parts/text/number-text.ts';
import type { Session } from '../../session/session.ts';
import { MakeKeyDialog } from './make-key-dialog.tsx';

/** The keys: to look at, to make and to revoke. */
export function KeysSection({ session }: { readonly session: Session }) {
  const { client } = session;
  const { value: list, failure, load } = useLoad<KeyList>();
  const [isMaking, setMaking] = useState(false);
  const [note, setNote] = useState('');

  const refresh = () => load(async (signal) => parseKeys(await client.json('/api/keys', { signal })));
  useEffect(refresh, [client]);

  const revoke = async ({ id, name }: StoredKey) => {
    try {
      await client.json(`/api/keys/${encodeURIComponent(id)}`, { method: 'DELETE' });
      setNote(`The key ${name} is revoked.`);
    } catch (thrown) {
      setNote(messageOf(thrown));
    }
    refresh();
  };

  return (
    <section aria-labelledby="keys">
      <div class="page-head">
        <h2 id="keys">API keys</h2>
        <button type="button" onClick={() => setMaking(true)}>
          New key
        </button>
        <span class="quiet" role="status">
          {note}
        </span>
      </div>
      {failure !== undefined && <FailureFace failure={failure} onRetry={refresh} />}
      {list === undefined && failure === undefined && <Loading what="Loading keys" />}
      {list && <KeyTable list={list} onRevoke={revoke} />}
      {isMaking && (
        <MakeKeyDialog
          session={session}
          onClose={() => {
            setMaking(false);
            refresh();
          }}
        />
      )}
    </section>
  );
}

interface KeyTableProps {
  readonly list: KeyList;
  readonly onRevoke: (key: StoredKey) => void;
}

/** Keys that are valid come first. Those of settings can't be revoked here. */
function KeyTable({ list: { keys, fixed }, onRevoke }: KeyTableProps) {
  const ordered = [
    ...keys.filter(({ state }) => state === 'active'),
    ...keys.filter(({ state }) => state !== 'active'),
  ];
  return (
    <PlainTable
      label="API keys"
      heads={['Name', 'State', 'Scopes', 'Restrictions', 'Expires', 'Id', 'Revoke']}
    >
      {fixed.map(({ name, scopes }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>active</td>
          <td>{scopes.join(', ')}</td>
          <td>none</td>
          <td>never</td>
          <td />
          <td class="quiet">in the settings</td>
        </tr>
      ))}
      {ordered.map((key) => (
        <tr key={key.id} class={key.state === 'active' ? '' : 'quiet'}>
          <th scope="row">
            <bdi>{key.name}</bdi>
          </th>
          <td>{key.state}</td>
          <td>{key.scopes.join(', ')}</td>
          <td>{restrictionsOf(key).join('; ') || 'none'}</td>
          <td>{key.expires === undefined ? 'never' : key.expires.slice(0, 16).replace('T', ' ')}</td>
          <td>
            <code>{key.id}</code>
          </td>
          <td>
            {key.state === 'active' && (
              <ConfirmButton question={`Revoke the key ${key.name}?`} onConfirm={() => onRevoke(key)}>
                Revoke
              </ConfirmButton>
            )}
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}

function restrictionsOf({
  endpoints,
  projects,
  pins,
  redact,
  rate,
  bytesPerDay,
  allow = [],
  whenSpent,
}: StoredKey): readonly string[] {
  return [
    ...(endpoints ? [`endpoints ${endpoints.join(', ')}`] : []),
    ...(projects ? [`projects ${projects.join(', ')}`] : []),
    ...(pins ?? []).map(({ parameter, value }) => `${parameter} = ${value}`),
    ...(redact ? ['redacted'] : []),
    ...(rate === undefined ? [] : [rate]),
    ...(bytesPerDay === undefined ? [] : [`${bytesText(bytesPerDay)} a day`]),
    ...allow,
    ...(whenSpent === undefined ? [] : [`${whenSpent} when spent`]),
  ];
}
