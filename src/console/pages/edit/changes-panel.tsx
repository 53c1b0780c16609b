import { useEffect } from 'preact/hooks';
import type { ComparedText, Editing, EndpointFile } from '../../api/editing.ts';
import { FailureFace, Loading } from '../../parts/faces/faces.tsx';
import { useLoad } from '../../parts/loading/use-load.ts';
import { cellText } from '../../parts/text/cell-text.ts';
import { changedFiles } from './changed-files.ts';
import { patchOf } from './patch.ts';

interface ChangesPanelProps {
  readonly editing: Editing;
  readonly name: string;
  readonly text: string;
  readonly test: string | undefined;
  readonly saved: EndpointFile | undefined;
  readonly file: string | undefined;
  readonly isRight: boolean;
}

/** What a text changes: what callers notice, against the served endpoint, and the lines of the files. */
export function ChangesPanel({ editing, name, text, test, saved, file, isRight }: ChangesPanelProps) {
  const compared = useLoad<ComparedText>();
  const { load, cancel } = compared;
  useEffect(() => {
    if (isRight) load((signal) => editing.compare({ name, text }, signal));
    else cancel();
  }, [editing, name, text, isRight, load, cancel]);
  const patch = file === undefined ? '' : patchOf(changedFiles(file, { text, test }, saved));
  return (
    <div class="edit-changes">
      <h2>For callers</h2>
      {isRight ? <Compared {...compared} /> : <p class="quiet">The text has errors, or is being checked.</p>}
      <h2>In the files</h2>
      {patch === '' ? <p class="quiet">Nothing has changed.</p> : <PatchView patch={patch} />}
    </div>
  );
}

function Compared({
  value,
  failure,
}: {
  readonly value: ComparedText | undefined;
  readonly failure: unknown;
}) {
  if (failure !== undefined) return <FailureFace failure={failure} />;
  if (value === undefined) return <Loading what="Comparing" />;
  const { state, verdict, changes } = value;
  const sentence =
    state === 'new' ? 'This endpoint is new.' : `${verdict.charAt(0).toUpperCase()}${verdict.slice(1)}.`;
  return (
    <>
      <p>{sentence}</p>
      {changes.length > 0 && (
        <ul>
          {changes.map(({ text, isOfAnswers }) => (
            <li key={text} class={isOfAnswers ? '' : 'quiet'}>
              <bdi>{cellText(text)}</bdi>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The lines of a patch. */
function PatchView({ patch }: { readonly patch: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="patch" tabIndex={0} aria-label="Patch">
      <pre>
        {patch
          .trimEnd()
          .split('\n')
          .map((line, at) => (
            <span key={at} class={classOf(line)}>
              {`${line}\n`}
            </span>
          ))}
      </pre>
    </section>
  );
}

function classOf(line: string): string {
  if (line.startsWith('+++') || line.startsWith('---') || line.startsWith('diff ')) return 'quiet';
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('@@') ? 'quiet' : '';
}
