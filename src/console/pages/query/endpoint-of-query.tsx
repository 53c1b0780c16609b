import { useState } from 'preact/hooks';
import { messageOf } from '../../api/failure.ts';
import { CodeBlock } from '../../parts/copy/code-block.tsx';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { formatRoute } from '../../router/route.ts';
import { useSession } from '../../session/session.ts';

interface EndpointOfQueryProps {
  readonly sql: string;
  readonly onClose: () => void;
}

/** What an endpoint's file must be called, and its name. */
const allowedName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** The name of the endpoint that was saved, or why it couldn't be. */
type Outcome = { readonly saved: string } | { readonly mistake: string } | undefined;

/** The file of an endpoint with a query: to save, where the gateway lets one, and to copy. */
export function EndpointOfQuery({ sql, onClose }: EndpointOfQueryProps) {
  const { client, caller } = useSession();
  const [name, setName] = useState('my.endpoint');
  const [id] = useState(() => crypto.randomUUID());
  const [outcome, setOutcome] = useState<Outcome>(undefined);
  const isAllowed = allowedName.test(name);
  const text = endpointFile(id, name, sql);
  const save = () =>
    client.send(`/api/endpoints/${encodeURIComponent(name)}`, { method: 'PUT', body: { text } }).then(
      () => setOutcome({ saved: name }),
      (error: unknown) => setOutcome({ mistake: messageOf(error) }),
    );
  return (
    <Dialog title="Make an endpoint" onClose={onClose}>
      <div class="parameter">
        <label for="endpoint-name">Name</label>
        <input
          id="endpoint-name"
          value={name}
          aria-invalid={!isAllowed}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        {!isAllowed && <p class="mistake">Letters, digits, dots, hyphens and underscores.</p>}
      </div>
      <p>
        {caller.writesEndpoints ? 'The file' : 'Save this as'} <code>{isAllowed ? name : '…'}.sql</code>{' '}
        {caller.writesEndpoints ? 'is saved' : ''} in the folder of the endpoints. Endpoints write tables as{' '}
        <code>logs.name</code>. Values that callers choose are written as <code>@name</code>, and declared
        under <code>parameters</code>.
      </p>
      <CodeBlock label="Endpoint file" text={text} />
      {caller.writesEndpoints && (
        <button type="button" class="primary" disabled={!isAllowed} onClick={save}>
          Save
        </button>
      )}
      <div role="status">
        {outcome !== undefined && 'mistake' in outcome && <p class="mistake">{outcome.mistake}</p>}
        {outcome !== undefined && 'saved' in outcome && (
          <p>
            Saved. It is served as{' '}
            <a
              href={formatRoute({ page: 'endpoint', endpoint: outcome.saved, values: new URLSearchParams() })}
            >
              {outcome.saved}
            </a>{' '}
            as soon as it is loaded, or its errors are shown there.
          </p>
        )}
      </div>
    </Dialog>
  );
}

function endpointFile(id: string, name: string, sql: string): string {
  return `/*\nid: ${id}\nname: ${name}\ncacheSeconds: 60\nunknownParameters: reject\n*/\n${sql.trim().replace(/;$/, '')}\n`;
}
