import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../../api/failure.ts';
import { type KeyList, parseKeys, parseMadeKey, type StoredKey } from '../../api/keys.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { FailureFace, Loading } from '../../parts/faces/faces.tsx';
import { useLoad } from '../../parts/loading/use-load.ts';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { PlainTable } from '../../parts/plain-table.tsx';
import { bytesText } from '../../parts/text/number-text.ts';
import type { Session } from '../../session/session.ts';
import { MadeKey, MakeKeyDialog } from './make-key-dialog.tsx';

/** The keys: to look at, to make and to revoke. */
export function KeysSection({ session }: { readonly session: Session }) {
  const { client } = session;
  const { value: list, failure, load } = useLoad<KeyList>();
  const [isMaking, setMaking] = useState(false);
  const [rotated, setRotated] = useState<{ readonly name: string; readonly key: string }>();
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

  const rotate = async ({ id }: StoredKey) => {
    try {
      const path = `/api/keys/${encodeURIComponent(id)}/rotate`;
      setRotated(parseMadeKey(await client.json(path, { method: 'POST' })));
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
      {list && <KeyTable list={list} onRevoke={revoke} onRotate={rotate} />}
      {rotated && (
        <Dialog title={`New key of ${rotated.name}`} onClose={() => setRotated(undefined)}>
          <p>The key before stays valid for 24 hours.</p>
          <MadeKey text={rotated.key} />
        </Dialog>
      )}
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
  readonly onRotate: (key: StoredKey) => void;
}

/** Keys that are valid come first. Those of settings can't be revoked here. */
function KeyTable({ list: { keys, fixed }, onRevoke, onRotate }: KeyTableProps) {
  const ordered = [
    ...keys.filter(({ state }) => state === 'active'),
    ...keys.filter(({ state }) => state !== 'active'),
  ];
  return (
    <PlainTable
      label="API keys"
      heads={['Name', 'State', 'Scopes', 'Restrictions', 'Expires', 'Last used', 'Id', 'Change']}
    >
      {fixed.map(({ name, scopes }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>active</td>
          <td>{scopes.join(', ')}</td>
          <td>none</td>
          <td>never</td>
          <td />
          <td />
          <td class="quiet">in the settings</td>
        </tr>
      ))}
      {ordered.map((key) => (
        <tr key={key.id} class={key.state === 'active' ? '' : 'quiet'}>
          <th scope="row">
            <bdi>{key.name}</bdi>
          </th>
          <td>{stateTexts(key).join('; ')}</td>
          <td>{key.scopes.join(', ')}</td>
          <td>{restrictionsOf(key).join('; ') || 'none'}</td>
          <td>{minuteText(key.expires)}</td>
          <td>{minuteText(key.lastUsed)}</td>
          <td>
            <code>{key.id}</code>
          </td>
          <td>
            {key.state === 'active' && (
              <>
                <ConfirmButton
                  question={`Make a new key for ${key.name}? This one stays valid for 24 hours.`}
                  onConfirm={() => onRotate(key)}
                >
                  Rotate
                </ConfirmButton>
                <ConfirmButton question={`Revoke the key ${key.name}?`} onConfirm={() => onRevoke(key)}>
                  Revoke
                </ConfirmButton>
              </>
            )}
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}

function stateTexts({ state, expiresSoon, former = [] }: StoredKey): readonly string[] {
  return [
    expiresSoon ? `${state}, expires soon` : state,
    ...former.map(
      ({ expires, lastUsed }) => `a key before, until ${minuteText(expires)}, used ${minuteText(lastUsed)}`,
    ),
  ];
}

/** Such as `2026-12-31 18:00`. */
function minuteText(time: string | undefined): string {
  return time === undefined ? 'never' : time.slice(0, 16).replace('T', ' ');
}

function restrictionsOf({
  endpoints,
  projects,
  pins,
  sources,
  redact,
  rate,
  bytesPerDay,
  class: ofClass,
  maxScanBytes,
  allow = [],
  whenSpent,
}: StoredKey): readonly string[] {
  return [
    ...(endpoints ? [`endpoints ${endpoints.join(', ')}`] : []),
    ...(projects ? [`projects ${projects.join(', ')}`] : []),
    ...(pins ?? []).map(({ parameter, value }) => `${parameter} = ${value}`),
    ...(sources ? [`writes to ${sources.join(', ')} only`] : []),
    ...(redact ? ['redacted'] : []),
    ...(rate === undefined ? [] : [rate]),
    ...(bytesPerDay === undefined ? [] : [`${bytesText(bytesPerDay)} a day`]),
    ...(ofClass === undefined ? [] : [`class ${ofClass}`]),
    ...(maxScanBytes === undefined ? [] : [`${bytesText(maxScanBytes)} a query`]),
    ...allow,
    ...(whenSpent === undefined ? [] : [`${whenSpent} when spent`]),
  ];
}
