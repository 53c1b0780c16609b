import { useEffect, useState } from 'preact/hooks';
import { type BoardList, parseBoards } from '../../api/boards.ts';
import { boardName } from '../../parts/boards/add-to-board.tsx';
import { draftNames, newBoard, storeDraft } from '../../parts/boards/board-draft.ts';
import { Empty, FailureFace, FileErrors, Loading } from '../../parts/faces/faces.tsx';
import { useLoad } from '../../parts/loading/use-load.ts';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { manyLines, oneLine } from '../../parts/text/cell-text.ts';
import { counted } from '../../parts/text/number-text.ts';
import { formatRoute, navigate, type Route } from '../../router/route.ts';
import { useSession } from '../../session/session.ts';

/** All boards with something that the key may call. */
export default function BoardsPage() {
  const { client, caller } = useSession();
  const { value, failure, load } = useLoad<BoardList>();
  const [isMaking, setMaking] = useState(false);
  const ask = () => load(async (signal) => parseBoards(await client.json('/api/boards', { signal })));
  useEffect(ask, [client]);
  const drafts = draftNames(sessionStorage).filter(
    (name) => !value?.boards.some((board) => board.name === name),
  );
  return (
    <section class="page" aria-labelledby="title">
      <div class="page-head">
        <h1 id="title">Boards</h1>
        {!caller.restricted && (
          <span class="page-links">
            <button type="button" onClick={() => setMaking(true)}>
              New board
            </button>
          </span>
        )}
      </div>
      {failure !== undefined && <FailureFace failure={failure} onRetry={ask} />}
      {value === undefined && failure === undefined && <Loading what="Loading the boards" />}
      {value?.unavailable?.map(({ name, errors }) => (
        <FileErrors key={name} title={`${name} is not shown: its file has errors`} errors={errors} />
      ))}
      {value?.boards.length === 0 && drafts.length === 0 && (
        <Empty title="No boards">
          <p class="quiet">There is no board with something that this key may call.</p>
        </Empty>
      )}
      <ul class="boards">
        {drafts.map((name) => (
          <li key={name} class="card">
            <a href={formatRoute(routeOf(name))}>
              <bdi>{oneLine(name)}</bdi>
            </a>
            <p class="quiet">Not saved yet.</p>
          </li>
        ))}
        {value?.boards.map(({ name, title, description, panels, callable }) => (
          <li key={name} class="card">
            <a href={formatRoute(routeOf(name))}>
              <bdi>{oneLine(title)}</bdi>
            </a>
            {description !== '' && <p>{manyLines(description)}</p>}
            <p class="facts quiet">
              <code>{name}</code>
              <span>
                {counted(panels, 'panel')}
                {callable < panels && `, ${callable} for this key`}
              </span>
            </p>
          </li>
        ))}
      </ul>
      {isMaking && (
        <NewBoard known={value?.boards.map(({ name }) => name) ?? []} onClose={() => setMaking(false)} />
      )}
    </section>
  );
}

function routeOf(name: string): Route {
  return { page: 'board', board: name, values: new URLSearchParams() };
}

interface NewBoardProps {
  readonly known: readonly string[];
  readonly onClose: () => void;
}

function NewBoard({ known, onClose }: NewBoardProps) {
  const [name, setName] = useState('');
  const mistake = known.includes(name)
    ? 'There is such a board already.'
    : name !== '' && !boardName.test(name)
      ? 'Letters, digits, dots, hyphens and underscores.'
      : undefined;
  return (
    <Dialog title="New board" onClose={onClose} closes="keys">
      <form
        class="add-to-board"
        onSubmit={(event) => {
          event.preventDefault();
          if (name === '' || mistake !== undefined) return;
          storeDraft(sessionStorage, name, { board: newBoard(name) });
          navigate(routeOf(name));
        }}
      >
        <label for="board-name">
          Name
          <input
            id="board-name"
            value={name}
            placeholder="team"
            aria-invalid={mistake !== undefined}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        {mistake !== undefined && <p class="mistake">{mistake}</p>}
        <div class="dialog-actions">
          <button type="submit" class="primary" disabled={name === '' || mistake !== undefined}>
            Make it
          </button>
        </div>
      </form>
    </Dialog>
  );
}
