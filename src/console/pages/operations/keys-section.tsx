import { useEffect, useRef, useState } from 'preact/hooks';
import { type KeyList, parseKeys, parseMadeKey, type StoredKey } from '../../api/keys.ts';
import { FailureFace, Loading } from '../../parts/faces/faces.tsx';
import { useLoad } from '../../parts/loading/use-load.ts';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { PlainTable } from '../../parts/plain-table.tsx';
import { oneLine } from '../../parts/text/cell-text.ts';
import { bytesText } from '../../parts/text/number-text.ts';
import type { Session } from '../../session/session.ts';
import { MadeKeyDialog } from './make-key/made-key-dialog.tsx';
import { MakeKeyDialog } from './make-key/make-key-dialog.tsx';

/** The keys: to look at, to make and to revoke. */
export function KeysSection({ session }: { readonly session: Session }) {
  const { client } = session;
  const { value: list, failure, load } = useLoad<KeyList>();
  const [isMaking, setMaking] = useState(false);
  const [rotated, setRotated] = useState<{ readonly name: string; readonly key: string }>();
  const [asked, setAsked] = useState<KeyAction>();
  const [note, setNote] = useState('');
  const status = useRef<HTMLSpanElement>(null);

  const refresh = () => load(async (signal) => parseKeys(await client.json('/api/keys', { signal })));
  useEffect(refresh, [client]);

  const revoke = async ({ id, name }: StoredKey) => {
    await client.json(`/api/keys/${encodeURIComponent(id)}`, { method: 'DELETE' });
    setNote(`The key ${oneLine(name)} is revoked.`);
    refresh();
  };

  const rotate = async ({ id }: StoredKey) => {
    const path = `/api/keys/${encodeURIComponent(id)}/rotate`;
    setRotated(parseMadeKey(await client.json(path, { method: 'POST' })));
    refresh();
  };

  return (
    <section aria-labelledby="keys">
      <div class="page-head">
        <h2 id="keys">API keys</h2>
        <button type="button" onClick={() => setMaking(true)}>
          New key
        </button>
        <span class="quiet" role="status" ref={status} tabIndex={-1}>
          {note}
        </span>
      </div>
      {failure !== undefined && <FailureFace failure={failure} onRetry={refresh} />}
      {list === undefined && failure === undefined && <Loading what="Loading keys" />}
      {list && <KeyTable list={list} onAsk={setAsked} />}
      {asked && (
        <ConfirmDialog
          title={`${asked.action} the key ${oneLine(asked.key.name)}?`}
          action={asked.action}
          {...(asked.action === 'Revoke' && { typed: oneLine(asked.key.name) })}
          onConfirm={() => (asked.action === 'Revoke' ? revoke : rotate)(asked.key)}
          onClose={() => setAsked(undefined)}
          returnTo={status}
        >
          <KeyFacts stored={asked.key} />
          <p>
            {asked.action === 'Revoke'
              ? 'Whoever uses it is refused at once. This can’t be undone.'
              : 'You get a new key. This one stays valid for 24 hours.'}
          </p>
        </ConfirmDialog>
      )}
      {rotated && (
        <MadeKeyDialog
          title={`New key of ${oneLine(rotated.name)}`}
          text={rotated.key}
          onClose={() => setRotated(undefined)}
        >
          <p>The key before stays valid for 24 hours.</p>
        </MadeKeyDialog>
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

/** What is asked before it is done to a key. */
interface KeyAction {
  readonly action: 'Revoke' | 'Rotate';
  readonly key: StoredKey;
}

/** What tells a key from others of a similar name. */
function KeyFacts({ stored: { id, scopes, created, lastUsed } }: { readonly stored: StoredKey }) {
  return (
    <dl class="settings">
      {[
        ['Id', id],
        ['Scopes', scopes.join(', ')],
        ['Made', minuteText(created)],
        ['Last used', minuteText(lastUsed)],
      ].map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

interface KeyTableProps {
  readonly list: KeyList;
  readonly onAsk: (action: KeyAction) => void;
}

/** Keys that are valid come first. Those of settings can't be revoked here. */
function KeyTable({ list: { keys, fixed }, onAsk }: KeyTableProps) {
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
            <bdi>{oneLine(key.name)}</bdi>
          </th>
          <td>{stateTexts(key).join('; ')}</td>
          <td>{key.scopes.join(', ')}</td>
          <td class="wide">{restrictionsOf(key).join('; ') || 'none'}</td>
          <td>{minuteText(key.expires)}</td>
          <td>{minuteText(key.lastUsed)}</td>
          <td>
            <code>{key.id}</code>
          </td>
          <td>
            {key.state === 'active' && (
              <span class="actions">
                {(['Rotate', 'Revoke'] as const).map((action) => (
                  <button
                    key={action}
                    type="button"
                    aria-label={`${action} the key ${oneLine(key.name)}`}
                    onClick={() => onAsk({ action, key })}
                  >
                    {action}
                  </button>
                ))}
              </span>
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
    ...(projects ? [`projects ${oneLine(projects.join(', '))}`] : []),
    ...(pins ?? []).map(({ parameter, value }) => `${parameter} = ${oneLine(value)}`),
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
