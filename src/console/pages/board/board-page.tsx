import { useEffect, useState } from 'preact/hooks';
import { type Board, type BoardPanel, parseBoard } from '../../api/boards.ts';
import { type BoardDraft, draftOf, storeDraft, storedDraft } from '../../parts/boards/board-draft.ts';
import { windowAt } from '../../parts/boards/board-values.ts';
import { FailureFace, FileErrors, Loading } from '../../parts/faces/faces.tsx';
import { useLoad } from '../../parts/loading/use-load.ts';
import { addressPairs } from '../../parts/parameters/parameter-values.ts';
import { manyLines, oneLine } from '../../parts/text/cell-text.ts';
import { fixedRange, formatRange, parseRange } from '../../parts/time/time-range.ts';
import { useZone } from '../../parts/time/use-zone.ts';
import { navigate } from '../../router/route.ts';
import { useSession } from '../../session/session.ts';
import { BoardBar, refreshSeconds } from './board-bar.tsx';
import { BoardGrid } from './board-grid.tsx';
import { DraftBar } from './draft-bar.tsx';
import { useClock } from './use-clock.ts';
import { VariablesBar } from './variables-bar.tsx';

interface BoardPageProps {
  readonly board: string;
  /** What is chosen: `range`, `refresh`, and the variables. */
  readonly values: URLSearchParams;
}

/** A board: panels over one range of time, with what is chosen for all of them. */
export default function BoardPage({ board: name, values }: BoardPageProps) {
  const { client } = useSession();
  const { value, failure, load } = useLoad<Board>();
  const [draft, setDraft] = useState(() => storedDraft(sessionStorage, name));
  const ask = () =>
    load(async (signal) =>
      parseBoard(await client.json(`/api/boards/${encodeURIComponent(name)}`, { signal })),
    );
  // A new board is nowhere but in its draft.
  const isNew = draft !== undefined && draft.before === undefined;
  useEffect(() => {
    if (!isNew) ask();
  }, [client, name]);
  const change = (next: BoardDraft | undefined) => {
    storeDraft(sessionStorage, name, next);
    setDraft(next);
  };
  if (failure !== undefined) return <FailureFace failure={failure} onRetry={ask} />;
  const board = draft === undefined ? value : boardOf(name, draft, value);
  if (board === undefined) return <Loading what="Loading the board" />;
  return (
    <OpenBoard
      {...{ board, draft, values }}
      onDraft={(next) => {
        change(next);
        if (next === undefined && isNew) navigate({ page: 'boards' });
      }}
      onSaved={() => {
        change(undefined);
        ask();
      }}
    />
  );
}

/** A draft as a board: who changes one may call what it has. */
function boardOf(name: string, { board, before }: BoardDraft, saved: Board | undefined): Board {
  return {
    ...board,
    name,
    panels: board.panels.map((panel) => ({ ...panel, callable: true })),
    ...(saved?.errors && { errors: saved.errors }),
    ...(before !== undefined && { text: before }),
  };
}

interface OpenBoardProps {
  readonly board: Board;
  readonly draft: BoardDraft | undefined;
  readonly values: URLSearchParams;
  readonly onDraft: (draft: BoardDraft | undefined) => void;
  readonly onSaved: () => void;
}

/** Panels that aren't streams ask so often, in seconds. */
const besideLiveSeconds = 10;

function OpenBoard({ board, draft, values, onDraft, onSaved }: OpenBoardProps) {
  const { client, caller } = useSession();
  const [zone] = useZone();
  const [isEditing, setEditing] = useState(draft !== undefined && draft.before === undefined);
  // What costs money runs when it is asked for.
  const [mayRun, setMayRun] = useState(!caller.billed);
  const range = parseRange(values.get('range') ?? board.range) ?? { kind: 'last', count: 24, unit: 'h' };
  const refresh = values.get('refresh') ?? board.refresh ?? 'off';
  const isLive = refresh === 'live';
  const clock = useClock(mayRun ? (isLive ? besideLiveSeconds : refreshSeconds(refresh)) : undefined);
  const window = windowAt(range, clock.now, zone);
  const chosen = new Map(
    Object.entries(board.variables).map(([name, { default: proposed, values: listed }]) => [
      name,
      values.get(name) ?? proposed ?? listed?.[0] ?? '',
    ]),
  );
  const choose = (name: string, value: string) => {
    const next = new URLSearchParams(values);
    next.set(name, value);
    navigate({ page: 'board', board: board.name, values: addressPairs([...next], client.key) });
  };
  const mayEdit = board.text !== undefined || draft !== undefined;
  const edit = (changed: Partial<BoardDraft['board']>) => {
    const from = draft ?? draftOf(board);
    onDraft({ ...from, board: { ...from.board, ...changed } });
  };
  const panelsOf = (panels: readonly BoardPanel[]) =>
    panels.map((panel): BoardPanel => {
      const { callable: _, ...own } = { callable: true, ...panel };
      return own;
    });

  return (
    <section class="page board-page" aria-labelledby="title">
      <div class="page-head">
        <span class="crumb">
          <a href="#/boards">Boards</a>
        </span>
        <h1 id="title">
          <bdi>{oneLine(board.title)}</bdi>
        </h1>
        {mayEdit && (
          <span class="page-links">
            <button type="button" aria-pressed={isEditing} onClick={() => setEditing(!isEditing)}>
              Edit
            </button>
          </span>
        )}
      </div>
      {board.description !== undefined && <p class="board-about">{manyLines(board.description)}</p>}
      {board.errors && <FileErrors title="The file of this board has errors" errors={board.errors} />}
      <div class="board-bar">
        <VariablesBar {...{ window, mayRun }} variables={board.variables} values={chosen} onValue={choose} />
        <BoardBar
          {...{ range, refresh }}
          onRange={(choice) => choose('range', formatRange(choice))}
          onRefresh={(next) => choose('refresh', next)}
          onReload={() => {
            setMayRun(true);
            clock.next();
          }}
        />
      </div>
      {!mayRun && (
        <p class="quiet">Queries of this gateway cost money: click Reload to run those of this board.</p>
      )}
      {(isEditing || draft !== undefined) && (
        <DraftBar
          {...{ board, draft, isEditing }}
          onBoard={edit}
          onSaved={() => {
            setEditing(false);
            onSaved();
          }}
          onDiscard={() => {
            setEditing(false);
            onDraft(undefined);
          }}
        />
      )}
      <BoardGrid
        panels={board.panels}
        values={{ window, variables: chosen }}
        turn={clock.turn}
        {...{ isLive, mayRun }}
        onRange={(span) => {
          const next = fixedRange(span);
          if (next !== undefined) choose('range', formatRange(next));
        }}
        onPanels={isEditing ? (panels) => edit({ panels: panelsOf(panels) }) : undefined}
      />
    </section>
  );
}
