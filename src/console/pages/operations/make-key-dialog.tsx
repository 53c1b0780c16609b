import { useId, useState } from 'preact/hooks';
import { messageOf } from '../../api/failure.ts';
import type { JsonObject } from '../../api/json.ts';
import { parseMadeKey } from '../../api/keys.ts';
import { CopyButton } from '../../parts/copy/copy-button.tsx';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import type { Session } from '../../session/session.ts';

interface MakeKeyDialogProps {
  readonly session: Session;
  readonly onClose: () => void;
}

/** Makes a key, and shows it once. */
export function MakeKeyDialog({ session, onClose }: MakeKeyDialogProps) {
  const [made, setMade] = useState<string>();
  return (
    <Dialog title="New API key" onClose={onClose}>
      {made === undefined ? <MakeKeyForm session={session} onMade={setMade} /> : <MadeKey text={made} />}
    </Dialog>
  );
}

/** A key that is shown once. */
export function MadeKey({ text }: { readonly text: string }) {
  return (
    <>
      <p>Copy the key now. It is not shown again.</p>
      <code class="made-key">{text}</code>
      <CopyButton text={() => text}>Copy</CopyButton>
    </>
  );
}

interface MakeKeyFormProps {
  readonly session: Session;
  readonly onMade: (key: string) => void;
}

function MakeKeyForm({ session: { client, caller, endpoints }, onMade }: MakeKeyFormProps) {
  const [mistake, setMistake] = useState<string>();
  const [isSending, setSending] = useState(false);

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
      <Choices name="scopes" legend="Scopes" values={caller.scopes} chosen={['query']} />
      <Choices
        name="endpoints"
        legend="Endpoints (none means any)"
        values={endpoints.map(({ name }) => name)}
        chosen={[]}
      />
      <Field name="projects" label="Projects" help="Separated by commas. Empty means any." />
      <Field
        name="sources"
        label="Writes to sources"
        help="Separated by commas. Empty means any, with write."
      />
      <Field
        name="expires"
        label="Expires"
        help="90d, 12h, a date, or an instant. Empty means never."
        value="90d"
      />
      <Field name="rate" label="Rate limit" help="Such as 10/s or 600/m. Empty means none." />
      <Field name="bytesPerDay" label="Bytes billed per day" help="Such as 100GB, for BigQuery." />
      <Field
        name="class"
        label="Class"
        help="interactive, default or background. Empty leaves it to the endpoint."
      />
      <Field name="maxScanBytes" label="Bytes that a query may read" help="Such as 100MB." />
      <Field
        name="allow"
        label="Allowances"
        help="Such as calls=10000/day, rows=5000000/month, engine-seconds=600/hour. Empty means none."
      />
      <label class="check">
        <input type="checkbox" name="redact" /> Always redact rows
      </label>
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

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly value?: string;
}

function Field({ name, label, help, value = '' }: FieldProps) {
  const id = useId();
  return (
    <div class="parameter">
      <label for={id}>{label}</label>
      <input id={id} name={name} defaultValue={value} autocomplete="off" aria-describedby={`${id}-help`} />
      <p id={`${id}-help`} class="quiet">
        {help}
      </p>
    </div>
  );
}

interface ChoicesProps {
  readonly name: string;
  readonly legend: string;
  readonly values: readonly string[];
  readonly chosen: readonly string[];
}

function Choices({ name, legend, values, chosen }: ChoicesProps) {
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {values.map((value) => (
        <label key={value} class="check">
          <input type="checkbox" name={name} value={value} defaultChecked={chosen.includes(value)} /> {value}
        </label>
      ))}
    </fieldset>
  );
}

/** What the form says, as `POST /api/keys` takes it. What is empty is left out. */
function wishOf(form: FormData): JsonObject {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const all = (name: string) => form.getAll(name).map(String);
  const given = (name: string) => (text(name) === '' ? {} : { [name]: text(name) });
  const endpoints = all('endpoints');
  return {
    name: text('name'),
    scopes: all('scopes'),
    ...(endpoints.length > 0 && { endpoints }),
    ...(text('projects') !== '' && { projects: [text('projects')] }),
    ...(text('sources') !== '' && { sources: [text('sources')] }),
    ...given('expires'),
    ...given('rate'),
    ...given('bytesPerDay'),
    ...given('class'),
    ...given('maxScanBytes'),
    ...(text('allow') !== '' && { allow: [text('allow')] }),
    ...(form.has('redact') && { redact: true }),
  };
}
