import { useId, useState } from 'preact/hooks';
import { messageOf } from '../../../api/failure.ts';
import { parseMadeKey } from '../../../api/keys.ts';
import { Dialog } from '../../../parts/overlays/dialog.tsx';
import { oneLine } from '../../../parts/text/cell-text.ts';
import type { Session } from '../../../session/session.ts';
import { AllowanceFields } from './allowance-fields.tsx';
import { ChipField, Choices, Field } from './key-fields.tsx';
import { wishOf } from './key-wish.ts';
import { useKnownProjects } from './known-projects.ts';
import { MadeKeyDialog } from './made-key-dialog.tsx';

interface MakeKeyDialogProps {
  readonly session: Session;
  readonly onClose: () => void;
}

/** Makes a key, and shows it once. */
export function MakeKeyDialog({ session, onClose }: MakeKeyDialogProps) {
  const [made, setMade] = useState<string>();
  if (made !== undefined) return <MadeKeyDialog title="New API key" text={made} onClose={onClose} />;
  return (
    <Dialog title="New API key" onClose={onClose} closes="keys">
      <MakeKeyForm session={session} onMade={setMade} />
    </Dialog>
  );
}

const expiries = [
  { text: 'a day', value: '1d' },
  { text: 'a week', value: '7d' },
  { text: '30 days', value: '30d' },
  { text: '90 days', value: '90d' },
  { text: 'never', value: '' },
] as const;

interface MakeKeyFormProps {
  readonly session: Session;
  readonly onMade: (key: string) => void;
}

function MakeKeyForm({ session, onMade }: MakeKeyFormProps) {
  const { client, caller, endpoints } = session;
  const [mistake, setMistake] = useState<string>();
  const [isSending, setSending] = useState(false);
  const [projects, setProjects] = useState('');
  const [expires, setExpires] = useState('90d');
  const known = useKnownProjects(session);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const wish = wishOf(new FormData(event.currentTarget));
    setSending(true);
    try {
      onMade(parseMadeKey(await client.json('/api/keys', { method: 'POST', body: wish })).key);
    } catch (thrown) {
      setMistake(messageOf(thrown));
    }
    setSending(false);
  };

  return (
    <form class="make-key" onSubmit={submit} noValidate>
      <Field name="name" label="Name" help="The owner, as logs and budgets show it." />
      <ChipField
        name="expires"
        label="Expires"
        help="90d, 12h, a date, or an instant. Empty means never."
        value={expires}
        onValue={setExpires}
        chips={expiries}
      />
      <Choices
        name="endpoints"
        legend="Endpoints (none means any)"
        values={endpoints.map(({ name }) => name)}
        chosen={[]}
      />
      <ChipField
        name="projects"
        label="Projects"
        help="Separated by commas. Empty means any."
        value={projects}
        onValue={setProjects}
        chips={known.map((value) => ({ value, text: oneLine(value) }))}
        isList
      />
      <label class="check">
        <input type="checkbox" name="redact" /> Always redact rows
      </label>
      <Choices name="scopes" legend="Scopes" values={caller.scopes} chosen={['query']} />
      <details class="make-key-more">
        <summary>Limits and uploads</summary>
        <div class="make-key">
          <AllowanceFields isBilled={caller.billed} />
          <ClassField />
          <Field name="rate" label="Rate limit" help="Such as 10/s or 600/m. Empty means none." />
          <Field name="maxScanBytes" label="Bytes that a query may read" help="Such as 100MB." />
          <Field
            name="sources"
            label="Writes to sources"
            help="Separated by commas. Empty means any, with write."
          />
        </div>
      </details>
      {mistake !== undefined && (
        <p class="mistake failure-message" role="alert">
          {mistake}
        </p>
      )}
      <button type="submit" class="primary" disabled={isSending}>
        Make the key
      </button>
    </form>
  );
}

function ClassField() {
  const id = useId();
  return (
    <div class="parameter">
      <label for={id}>Class</label>
      <select id={id} name="class">
        <option value="">that of the endpoint</option>
        {['interactive', 'default', 'background'].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
