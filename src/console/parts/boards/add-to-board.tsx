import { useEffect, useState } from 'preact/hooks';
import { type BoardPanel, parseBoard, parseBoards } from '../../api/boards.ts';
import { formatRoute, navigate } from '../../router/route.ts';
import { useSession } from '../../session/session.ts';
import { FailureFace } from '../faces/faces.tsx';
import { useLoad } from '../loading/use-load.ts';
import { Dialog } from '../overlays/dialog.tsx';
import { draftNames, draftOf, newBoard, storeDraft, storedDraft, withPanel } from './board-draft.ts';

/** The name that a board's file can have. */
export const boardName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

interface AddToBoardProps {
  /** What to add, when it is asked for. */
  readonly panel: () => BoardPanel;
}

/** A button that adds a chart or rows to a board. */
export function AddToBoard({ panel }: AddToBoardProps) {
  const [adding, setAdding] = useState<BoardPanel>();
  return (
    <>
      <button type="button" onClick={() => setAdding(panel())}>
        Add to a board
      </button>
      {adding && <AddDialog panel={adding} onClose={() => setAdding(undefined)} />}
    </>
  );
}

function AddDialog({ panel, onClose }: { readonly panel: BoardPanel; readonly onClose: () => void }) {
  const { client } = useSession();
  const names = useLoad<readonly string[]>();
  const added = useLoad<void>();
  const [title, setTitle] = useState(panel.title);
  const [chosen, setChosen] = useState<string>();
  const [own, setOwn] = useState('');
  useEffect(() => {
    names.load(async (signal) => {
      const { boards } = parseBoards(await client.json('/api/boards', { signal }));
      const all = new Set([...draftNames(sessionStorage), ...boards.map(({ name }) => name)]);
      return [...all].sort();
    });
  }, [client]);
  const known = names.value ?? [];
  const last = lastBoard(known);
  const selected = chosen ?? last ?? '';
  const name = selected === '' ? own : selected;
  const isAllowed = boardName.test(name);

  const add = () =>
    added.load(async (signal) => {
      const draft =
        storedDraft(sessionStorage, name) ??
        (known.includes(name)
          ? draftOf(parseBoard(await client.json(`/api/boards/${encodeURIComponent(name)}`, { signal })))
          : { board: newBoard(name) });
      storeDraft(sessionStorage, name, { ...draft, board: withPanel(draft.board, { ...panel, title }) });
      sessionStorage.setItem(lastKey, name);
      navigate({ page: 'board', board: name, values: new URLSearchParams() });
    });

  return (
    <Dialog title="Add to a board" onClose={onClose} closes="keys">
      {names.failure !== undefined && <FailureFace failure={names.failure} />}
      <form
        class="add-to-board"
        onSubmit={(event) => {
          event.preventDefault();
          if (isAllowed && title.trim() !== '') add();
        }}
      >
        <label for="panel-title">
          Title
          <input
            id="panel-title"
            value={title}
            onInput={({ currentTarget }) => setTitle(currentTarget.value)}
          />
        </label>
        <label for="panel-board">
          Board
          <select
            id="panel-board"
            value={selected}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          >
            <option value="">New board</option>
            {known.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
        {selected === '' && (
          <label for="board-name">
            Name of the board
            <input
              id="board-name"
              value={own}
              placeholder="team"
              aria-invalid={own !== '' && !isAllowed}
              aria-describedby="board-name-help"
              onInput={({ currentTarget }) => setOwn(currentTarget.value)}
            />
          </label>
        )}
        {selected === '' && (
          <p id="board-name-help" class={own === '' || isAllowed ? 'quiet' : 'mistake'}>
            Letters, digits, dots, hyphens and underscores. Its file is boards/<bdi>{name || 'team'}</bdi>
            .yaml.
          </p>
        )}
        {added.failure !== undefined && <FailureFace failure={added.failure} />}
        <div class="dialog-actions">
          <button
            type="submit"
            class="primary"
            disabled={!isAllowed || title.trim() === '' || added.isLoading}
          >
            Add
          </button>
          <a href={formatRoute({ page: 'boards' })}>All boards</a>
        </div>
      </form>
    </Dialog>
  );
}

const lastKey = 'last-board';

/** The board to which something was added before: the next panel is often for the same. */
function lastBoard(known: readonly string[]): string | undefined {
  const last = sessionStorage.getItem(lastKey) ?? '';
  return known.includes(last) ? last : undefined;
}
