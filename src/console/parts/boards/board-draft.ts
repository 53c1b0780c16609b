import * as z from 'zod/mini';
import { type Board, type BoardFile, type BoardPanel, boardFile } from '../../api/boards.ts';
import { withVariables } from './panel-of.ts';
import { nextPlace } from './places.ts';

const draft = z.object({
  board: boardFile,
  /** The text of the file that it changes. Absent for a new board. */
  before: z.optional(z.string()),
});

/** A board that was changed and isn't saved. It stays in the tab of the browser. */
export type BoardDraft = z.infer<typeof draft>;

const prefix = 'board ';

/** The draft of a board, if there is one. */
export function storedDraft(storage: Storage, name: string): BoardDraft | undefined {
  try {
    return draft.parse(JSON.parse(storage.getItem(prefix + name) ?? ''));
  } catch {
    return undefined;
  }
}

/** @param changed undefined forgets it */
export function storeDraft(storage: Storage, name: string, changed: BoardDraft | undefined): void {
  try {
    if (changed === undefined) storage.removeItem(prefix + name);
    else storage.setItem(prefix + name, JSON.stringify(changed));
  } catch {}
}

/** The names of boards with drafts. */
export function draftNames(storage: Storage): readonly string[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  return keys
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .sort();
}

/** A board as its file has it, to change it. */
export function draftOf({ name: _, errors: __, text, panels, ...board }: Board): BoardDraft {
  const own = panels.map(({ callable: ___, ...panel }) => panel);
  return { board: { ...board, panels: own }, ...(text !== undefined && { before: text }) };
}

export function newBoard(title: string): BoardFile {
  return { title, range: '24h', variables: {}, panels: [] };
}

/** A board with one more panel. */
export function withPanel(board: BoardFile, panel: BoardPanel): BoardFile {
  const added = { ...withVariables(panel, board), place: nextPlace(board.panels) };
  return { ...board, panels: [...board.panels, added] };
}
