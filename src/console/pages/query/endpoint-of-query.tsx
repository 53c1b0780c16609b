import { useState } from 'preact/hooks';
import { CodeBlock } from '../../parts/copy/code-block.tsx';
import { Dialog } from '../../parts/overlays/dialog.tsx';

interface EndpointOfQueryProps {
  readonly sql: string;
  readonly onClose: () => void;
}

/** What an endpoint's file must be called, and its name. */
const allowedName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** The file of an endpoint with a query, to copy. */
export function EndpointOfQuery({ sql, onClose }: EndpointOfQueryProps) {
  const [name, setName] = useState('my.endpoint');
  const [id] = useState(() => crypto.randomUUID());
  const isAllowed = allowedName.test(name);
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
        Save this as <code>{isAllowed ? name : '…'}.sql</code> in the folder of the endpoints. Values that
        callers choose are written as <code>@name</code>, and declared under <code>parameters</code>.
      </p>
      <CodeBlock label="Endpoint file" text={endpointFile(id, name, sql)} />
    </Dialog>
  );
}

function endpointFile(id: string, name: string, sql: string): string {
  return `/*\nid: ${id}\nname: ${name}\ndescription: \ncacheSeconds: 60\nunknownParameters: reject\n*/\n${sql.trim().replace(/;$/, '')}\n`;
}
