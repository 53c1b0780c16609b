import { useState } from 'preact/hooks';
import type { Caller } from '../../api/caller.ts';
import type { Client } from '../../api/client.ts';
import type { Editing, EndpointFile } from '../../api/editing.ts';
import { messageOf } from '../../api/failure.ts';
import { CopyButton } from '../../parts/copy/copy-button.tsx';
import { formatRoute } from '../../router/route.ts';
import { askEndpoints, useSession } from '../../session/session.ts';
import { changedFiles } from './changed-files.ts';
import { patchOf } from './patch.ts';

interface SaveBarProps {
  readonly editing: Editing;
  readonly name: string;
  readonly text: string;
  readonly test: string | undefined;
  /** The files as they are. Undefined if there are none. */
  readonly saved: EndpointFile | undefined;
  /** The path that the file has, or is to have, in the project. */
  readonly file: string | undefined;
  /** Whether the text was checked and has no errors. */
  readonly isRight: boolean;
  readonly onSaved: (files: EndpointFile) => void;
}

type Outcome =
  | { readonly saved: string; readonly isServed: boolean }
  | { readonly branch: string; readonly text: string; readonly test: string | undefined }
  | { readonly mistake: string }
  | undefined;

/** How often, and in which pauses, a gateway is asked whether it serves a file. */
const [looks, pauseMilliseconds] = [20, 400];

/** Saves the file or pushes it to a branch, where the gateway lets one, and gives it as a patch anywhere. */
export function SaveBar({ editing, name, text, test, saved, file, isRight, onSaved }: SaveBarProps) {
  const { caller, client, refresh } = useSession();
  const [outcome, setOutcome] = useState<Outcome>();
  const [isBusy, setBusy] = useState(false);
  const files = file === undefined ? [] : changedFiles(file, { text, test }, saved);
  const hasChanges = files.length > 0;
  const ofBranch = outcome !== undefined && 'branch' in outcome ? outcome : undefined;
  const pushed = ofBranch?.text === text && ofBranch.test === test ? ofBranch : undefined;
  const texts = () => {
    const testChanged = test !== undefined && test !== saved?.test?.text;
    const ofTest = testChanged ? { text: test, before: saved?.test?.text } : undefined;
    return [name, { text, before: saved?.text }, ofTest] as const;
  };
  const act = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
    } catch (thrown) {
      setOutcome({ mistake: messageOf(thrown) });
    } finally {
      setBusy(false);
    }
  };
  const save = async () => {
    const isNew = saved === undefined;
    await editing.save(...texts());
    setOutcome({ saved: name, isServed: false });
    onSaved({ file: file ?? '', text, ...(test !== undefined && { test: { file: '', text: test } }) });
    const isServed = await becomesServed(client, caller, isNew ? name : undefined);
    if (isServed) await refresh().catch(() => {});
    setOutcome({ saved: name, isServed });
  };
  const push = async () => {
    setOutcome(undefined);
    setOutcome({ branch: await editing.push(...texts()), text, test });
  };
  const isWritable = isRight && hasChanges && !isBusy;
  return (
    <span class="page-links">
      <span role="status">
        {outcome !== undefined && 'mistake' in outcome && <span class="mistake">{outcome.mistake}</span>}
        {outcome !== undefined && 'saved' in outcome && !hasChanges && (
          <>
            Saved. {outcome.isServed ? '' : 'It is loaded when the gateway notices it. '}
            <a
              href={formatRoute({ page: 'endpoint', endpoint: outcome.saved, values: new URLSearchParams() })}
            >
              Open {outcome.saved}
            </a>
          </>
        )}
        {pushed !== undefined && (
          <>
            Pushed to the branch <code>{pushed.branch}</code>.
          </>
        )}
      </span>
      {pushed !== undefined && <CopyButton text={() => pushed.branch}>Copy its name</CopyButton>}
      <button
        type="button"
        class={caller.writesEndpoints || caller.pushesEndpoints ? '' : 'primary'}
        disabled={!hasChanges}
        title="A file for git apply, in the folder of the project"
        onClick={() => downloadText(patchOf(files), `${name || 'endpoint'}.patch`)}
      >
        Download patch
      </button>
      {caller.pushesEndpoints && (
        <button
          type="button"
          class={caller.writesEndpoints ? '' : 'primary'}
          disabled={!isWritable || pushed !== undefined}
          title="A new branch of the endpoints' repository, on top of what is served"
          onClick={() => act(push)}
        >
          Push a branch
        </button>
      )}
      {caller.writesEndpoints && (
        <button type="button" class="primary" disabled={!isWritable} onClick={() => act(save)}>
          Save
        </button>
      )}
    </span>
  );
}

/**
 * Waits until a new endpoint is served, or its errors are known.
 *
 * @param name undefined for one that was served before
 */
async function becomesServed(client: Client, caller: Caller, name: string | undefined): Promise<boolean> {
  for (let look = 0; name !== undefined && look < looks; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
    const { endpoints, unavailable } = await askEndpoints(client, caller);
    if ([...endpoints, ...unavailable].some((each) => each.name === name)) return true;
  }
  return name === undefined;
}

function downloadText(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/x-patch' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replace(/[^\w.-]/g, '-');
  link.click();
  URL.revokeObjectURL(address);
}
