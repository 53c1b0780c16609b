import { useId, useState } from 'preact/hooks';
import type { Board, BoardFile } from '../../api/boards.ts';
import { messageOf } from '../../api/failure.ts';
import { type BoardDraft, withPanel } from '../../parts/boards/board-draft.ts';
import { panelOfEndpoint } from '../../parts/boards/panel-of.ts';
import { saveFile } from '../../parts/copy/save-file.ts';
import { ofSources, useSession } from '../../session/session.ts';
import { VariablesEditor } from './variables-editor.tsx';

interface DraftBarProps {
  readonly board: Board;
  /** Undefined if nothing has changed. */
  readonly draft: BoardDraft | undefined;
  readonly isEditing: boolean;
  readonly onBoard: (changed: Partial<BoardFile>) => void;
  readonly onSaved: () => void;
  readonly onDiscard: () => void;
}

/** What makes a changed board a file, and what changes the board as a whole. */
export function DraftBar({ board, draft, isEditing, onBoard, onSaved, onDiscard }: DraftBarProps) {
  const { client, caller } = useSession();
  const [mistake, setMistake] = useState<string>();
  const textOf = async ({ board: changed, before }: BoardDraft) => {
    const { boardText } = await import('../../parts/boards/board-text.ts');
    return boardText(changed, before);
  };
  const save = async (changed: BoardDraft) => {
    const body = {
      text: await textOf(changed),
      ...(changed.before !== undefined && { replaces: changed.before }),
    };
    await client.send(`/api/boards/${encodeURIComponent(board.name)}`, { method: 'PUT', body });
    onSaved();
  };
  const download = async (changed: BoardDraft) =>
    saveFile(new Blob([await textOf(changed)], { type: 'application/yaml' }), `${board.name}.yaml`);
  const attempt = (task: Promise<void>) => {
    setMistake(undefined);
    task.catch((error: unknown) => setMistake(messageOf(error)));
  };
  return (
    <div class="card board-draft">
      {isEditing && <BoardEditor board={board} onBoard={onBoard} />}
      <div class="board-draft-actions">
        <span class="quiet" role="status">
          {draft === undefined
            ? 'Nothing has changed.'
            : caller.writesEndpoints
              ? 'Changes are not saved yet.'
              : `Changes are in this tab only. Commit the file as boards/${board.name}.yaml.`}
        </span>
        {draft !== undefined && (
          <>
            {caller.writesEndpoints && (
              <button type="button" class="primary" onClick={() => attempt(save(draft))}>
                Save
              </button>
            )}
            <button
              type="button"
              class={caller.writesEndpoints ? '' : 'primary'}
              onClick={() => attempt(download(draft))}
            >
              Download
            </button>
            <button type="button" onClick={onDiscard}>
              Discard
            </button>
          </>
        )}
      </div>
      {mistake !== undefined && (
        <p class="mistake board-mistake" role="alert">
          {mistake}
        </p>
      )}
    </div>
  );
}

/** The title of a board, its variables, and further panels. */
function BoardEditor({ board, onBoard }: Pick<DraftBarProps, 'board' | 'onBoard'>) {
  const id = useId();
  const { endpoints } = useSession();
  const offered = endpoints.filter((endpoint) => !ofSources(endpoint));
  const [chosen, setChosen] = useState(offered[0]?.name ?? '');
  const add = () => {
    const endpoint = offered.find(({ name }) => name === chosen);
    if (endpoint !== undefined) onBoard({ panels: withPanel(board, panelOfEndpoint(endpoint)).panels });
  };
  return (
    <div class="panel-editor">
      <label for={`${id}-title`}>
        <span class="quiet">Title of the board</span>
        <input
          id={`${id}-title`}
          value={board.title}
          onInput={({ currentTarget }) => onBoard({ title: currentTarget.value || board.name })}
        />
      </label>
      <label for={`${id}-endpoint`}>
        <span class="quiet">Endpoint</span>
        <select
          id={`${id}-endpoint`}
          value={chosen}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        >
          {offered.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={add} disabled={chosen === ''}>
        Add a panel
      </button>
      <VariablesEditor board={board} onBoard={onBoard} />
    </div>
  );
}
