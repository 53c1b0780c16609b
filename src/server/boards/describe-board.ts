import { formatProblem } from '../../base/errors/problem.ts';
import { type Caller, isBounded } from '../../calls/access/caller/caller.ts';
import type { BoardFile, BoardPanel } from '../../definitions/boards/board-file.ts';
import { boardProblems } from '../../definitions/boards/board-problems.ts';
import { namesIn, onlyName } from '../../definitions/boards/placeholders.ts';
import type { ReadBoard } from '../../definitions/boards/read-board.ts';
import { textsIn } from '../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { callableShapes } from '../graphql/shape/callable-shapes.ts';
import type { EndpointShape, SchemaShape } from '../graphql/shape/shape.ts';

/** A board, as `GET /api/boards` lists it. */
export interface BoardSummary {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly panels: number;
  /** How many of the panels the caller may call. */
  readonly callable: number;
}

type CalledPart = Pick<BoardPanel, 'endpoint' | 'parameters' | 'sql' | 'lql'>;

/** A panel. One that the caller may not call shows neither its call nor its values. */
type PanelDescription =
  | ({ readonly callable: true } & BoardPanel)
  | ({ readonly callable: false } & Pick<BoardPanel, 'title' | 'place'>);

/** A board, as `GET /api/boards/<name>` describes it: its file, as far as it is for the caller. */
export interface BoardDescription extends Omit<BoardFile, 'panels'> {
  readonly name: string;
  readonly panels: readonly PanelDescription[];
  /** The errors in it, for callers without restrictions. Absent if there are none. */
  readonly errors?: readonly string[];
  /** The text of its file, for callers without restrictions who may call all that it has. */
  readonly text?: string;
}

/** A board of a file without errors of form. */
export type ValidBoard = ReadBoard & { readonly board: BoardFile };

export function isValid(read: ReadBoard): read is ValidBoard {
  return read.board !== undefined;
}

/** What a caller may call of a board. */
export class CallableParts {
  readonly #shapes: readonly EndpointShape[];

  constructor(caller: Caller, shape: SchemaShape) {
    this.#shapes = caller.scopes.has('query') ? callableShapes(caller, shape) : [];
  }

  /** Whether the caller may make a call: with other values than some of the written ones, it would be refused. */
  mayCall(called: CalledPart): boolean {
    const shape = this.#shapeOf(called);
    if (shape === undefined) return false;
    const isQuery = called.sql !== undefined || called.lql !== undefined;
    if (isQuery && (shape.tables?.tables ?? []).length === 0) return false;
    return shape.arguments.every(({ parameter: { name, values } }) => {
      const given = textsIn(called.parameters?.[name] ?? null).filter((text) => namesIn(text).length === 0);
      return values === undefined || given.every((text) => text === '' || values.includes(text));
    });
  }

  /** The values that all parameters which a variable fills allow. Undefined if they allow any. */
  valuesOf(variable: string, panels: readonly CalledPart[]): readonly string[] | undefined {
    const lists = panels
      .filter((panel) => this.mayCall(panel))
      .flatMap((panel) =>
        (this.#shapeOf(panel)?.arguments ?? []).flatMap(({ parameter: { name, values } }) => {
          const given = textsIn(panel.parameters?.[name] ?? null);
          return values !== undefined && given.some((text) => onlyName(text) === variable) ? [values] : [];
        }),
      );
    const [first, ...others] = lists;
    return first?.filter((value) => others.every((values) => values.includes(value)));
  }

  #shapeOf({ endpoint: wanted }: CalledPart): EndpointShape | undefined {
    return this.#shapes.find(({ endpoint }) =>
      wanted === undefined ? endpoint.isOfSources : endpoint.name === wanted && !endpoint.isOfSources,
    );
  }
}

export function summaryOf({ name, board }: ValidBoard, parts: CallableParts): BoardSummary {
  const { title, description = '', panels } = board;
  const callable = panels.filter((panel) => parts.mayCall(panel)).length;
  return { name, title, description, panels: panels.length, callable };
}

/** Describes a board for a caller. */
export async function describeBoard(
  read: ValidBoard,
  caller: Caller,
  shape: SchemaShape,
): Promise<BoardDescription> {
  const { name, board, text } = read;
  const parts = new CallableParts(caller, shape);
  const described = {
    name,
    ...board,
    variables: variablesOf(board, parts),
    panels: board.panels.map((panel) => describePanel(panel, parts)),
  };
  if (isBounded(caller)) return described;
  const problems = await boardProblems(read, {
    endpoints: shape.endpoints.map(({ endpoint }) => endpoint),
    ofSources: shape.ofSources?.endpoint,
  });
  const isAllCallable =
    described.panels.every(({ callable }) => callable) &&
    queriesOf(board).every((query) => parts.mayCall(query));
  return {
    ...described,
    ...(problems.length > 0 && { errors: problems.map(formatProblem) }),
    ...(isAllCallable && { text }),
  };
}

function queriesOf({ variables }: BoardFile): readonly CalledPart[] {
  return Object.values(variables).flatMap(({ query }) => query ?? []);
}

/** Whether a caller may open a board: one with a panel that it may call or, without restrictions, one that has no panels yet. */
export function mayOpen({ board }: ValidBoard, caller: Caller, parts: CallableParts): boolean {
  if (board.panels.length === 0) return !isBounded(caller);
  return board.panels.some((panel) => parts.mayCall(panel));
}

function describePanel(panel: BoardPanel, parts: CallableParts): PanelDescription {
  const { title, place } = panel;
  if (parts.mayCall(panel)) return { callable: true, ...panel };
  return { callable: false, title, ...(place && { place }) };
}

/** The variables with what the caller may choose: of others, neither the queries nor the values are shown. */
function variablesOf({ variables, panels }: BoardFile, parts: CallableParts): BoardFile['variables'] {
  const shown = Object.entries(variables).map(([name, variable]) => {
    const { query, default: proposed, values, ...others } = variable;
    const allowed = parts.valuesOf(name, panels);
    const isAllowed = (value: string) => allowed === undefined || allowed.includes(value);
    const choices = values?.filter(isAllowed) ?? allowed;
    const described = {
      ...others,
      ...(proposed !== undefined && isAllowed(proposed) && { default: proposed }),
      ...(choices !== undefined && { values: [...choices] }),
      ...(choices === undefined && query !== undefined && parts.mayCall(query) && { query }),
    };
    return [name, described] as const;
  });
  return Object.fromEntries(shown);
}
