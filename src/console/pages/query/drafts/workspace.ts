import type { Endpoint } from '../../../api/endpoints.ts';
import { chartOf, chartPairs } from '../../../parts/chart/chart-choice.ts';
import { addressPairs, addressValues, pairsOf } from '../../../parts/parameters/parameter-values.ts';
import type { Route } from '../../../router/route.ts';
import {
  type Draft,
  exampleDraft,
  isSameQuestion,
  type Language,
  type Question,
  questionOf,
  withQuestion,
} from './draft.ts';

/** The tabs of the page: at least one. */
export interface Workspace {
  readonly drafts: readonly Draft[];
  /** The id of the draft that is shown. */
  readonly active: string;
  /** Those that were closed last, the last one at the end. */
  readonly closed: readonly Draft[];
}

export const noTabs: Workspace = { drafts: [], active: '', closed: [] };

/** More tabs than this are not opened: the oldest one goes. */
const maxDrafts = 20;
const maxClosed = 10;

export function activeDraft({ drafts, active }: Workspace): Draft | undefined {
  return drafts.find(({ id }) => id === active) ?? drafts[0];
}

/**
 * The tabs after an address was opened: its query in a tab of its own, unless a tab has it already.
 *
 * @param endpoints those with tables to query; at least one
 */
export function openAddress(
  workspace: Workspace,
  route: Extract<Route, { readonly page: 'query' }>,
  endpoints: readonly Endpoint[],
): Workspace {
  const endpoint = endpoints.find(({ name, id }) => name === route.endpoint || id === route.endpoint);
  const given = linkedText(route);
  if (given !== undefined) {
    const values = addressValues(endpoint?.parameters ?? [], route.values);
    const question = { endpoint: endpoint?.name ?? route.endpoint ?? '', ...given, values };
    const opened = openQuestion(workspace, question, endpoints);
    const draft = activeDraft(opened);
    const chart = chartOf(route.values);
    return draft === undefined || chart === undefined ? opened : changeDraft(opened, { ...draft, chart });
  }
  if (endpoint !== undefined && route.values.size > 0) {
    return openQuestion(workspace, questionOf(exampleDraft('', endpoint, route.values)), endpoints);
  }
  const candidates = [activeDraft(workspace), ...workspace.drafts].filter((draft) => draft !== undefined);
  const draft = candidates.find(({ endpoint: name }) => endpoint === undefined || name === endpoint.name);
  return draft === undefined
    ? addDraft(workspace, endpoint ?? endpoints[0])
    : { ...workspace, active: draft.id };
}

/** The tabs with a question in one of them, which is shown. */
export function openQuestion(
  workspace: Workspace,
  question: Question,
  endpoints: readonly Endpoint[],
): Workspace {
  const same = workspace.drafts.find((draft) => isSameQuestion(questionOf(draft), question));
  if (same !== undefined) return { ...workspace, active: same.id };
  const endpoint = endpoints.find(({ name }) => name === question.endpoint);
  const empty = {
    endpoint: question.endpoint,
    language: 'sql',
    sql: '',
    lql: '',
    values: new Map(),
  } as const;
  const id = freeId(workspace);
  return withDraft(
    workspace,
    withQuestion(endpoint ? exampleDraft(id, endpoint) : { id, ...empty }, question),
  );
}

/** The tabs with one more, which is shown. It has an example. */
export function addDraft(workspace: Workspace, endpoint: Endpoint | undefined): Workspace {
  return endpoint === undefined ? workspace : withDraft(workspace, exampleDraft(freeId(workspace), endpoint));
}

/** The tabs without one. The one beside it is shown. The last one is replaced by an example. */
export function closeDraft(workspace: Workspace, id: string, endpoint: Endpoint | undefined): Workspace {
  const at = workspace.drafts.findIndex((draft) => draft.id === id);
  const drafts = workspace.drafts.filter((draft) => draft.id !== id);
  const closed = withClosed(workspace, workspace.drafts.slice(at, at + 1));
  if (drafts.length === 0) return addDraft({ drafts, active: '', closed }, endpoint);
  const beside = drafts[Math.min(at, drafts.length - 1)]?.id ?? '';
  return { drafts, active: workspace.active === id ? beside : workspace.active, closed };
}

/** The tabs with the one that was closed last, which is shown. */
export function reopenDraft(workspace: Workspace): Workspace {
  const draft = workspace.closed.at(-1);
  if (draft === undefined) return workspace;
  return withDraft({ ...workspace, closed: workspace.closed.slice(0, -1) }, draft);
}

function withClosed({ closed }: Workspace, more: readonly Draft[]): readonly Draft[] {
  return [...closed, ...more].slice(-maxClosed);
}

export function changeDraft(workspace: Workspace, changed: Draft): Workspace {
  return {
    ...workspace,
    drafts: workspace.drafts.map((draft) => (draft.id === changed.id ? changed : draft)),
  };
}

function withDraft(workspace: Workspace, draft: Draft): Workspace {
  const drafts = [...workspace.drafts, draft];
  const closed = withClosed(workspace, drafts.slice(0, -maxDrafts));
  return { drafts: drafts.slice(-maxDrafts), active: draft.id, closed };
}

/** An id that neither a tab has nor one that can be opened again. */
function freeId({ drafts, closed }: Workspace): string {
  const numbers = [...drafts, ...closed].map(({ id }) => Number(id));
  return String(Math.max(0, ...numbers.filter(Number.isSafeInteger)) + 1);
}

type QueryRoute = Extract<Route, { readonly page: 'query' }>;

/** The address of a draft with its chart, without what contains the key. */
export function linkOfDraft(draft: Draft, key: string): QueryRoute {
  return linkOf({ ...questionOf(draft), chart: draft.chart }, key);
}

/** The address of a question, without what contains the key. */
export function linkOf(question: Question & Pick<Draft, 'chart'>, key: string): QueryRoute {
  const { endpoint, language, text, values } = question;
  const chart = question.chart === undefined ? [] : chartPairs(question.chart);
  return {
    page: 'query',
    endpoint: endpoint.includes(key) ? undefined : endpoint,
    values: addressPairs([[language, text], ...pairsOf(values), ...chart], key),
  };
}

/** The query of an address, if it has one. */
function linkedText({
  values,
}: Pick<QueryRoute, 'values'>): { language: Language; text: string } | undefined {
  for (const language of ['sql', 'lql'] as const) {
    const text = values.get(language);
    if (text !== null) return { language, text };
  }
  return undefined;
}
