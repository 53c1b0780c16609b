import { isSameQuestion, type Question } from '../drafts/draft.ts';

/** A query that was run. */
export interface Run {
  readonly question: Question;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly milliseconds: number;
  /** Undefined if it failed. */
  readonly rows?: number | undefined;
  /** Why it failed. */
  readonly failure?: string | undefined;
}

const maxRuns = 100;
/** Browsers keep about five million characters for all keys of a gateway. */
const maxCharacters = 500_000;

/** The history with one more run, the newest first. The same question stands there once. */
export function withRun(history: readonly Run[], run: Run): readonly Run[] {
  const others = history.filter(({ question }) => !isSameQuestion(question, run.question));
  let characters = 0;
  return [run, ...others].slice(0, maxRuns).filter(({ question: { text } }) => {
    characters += text.length;
    return characters <= maxCharacters;
  });
}

/** The runs whose query or endpoint contains each word. */
export function searchRuns(history: readonly Run[], search: string): readonly Run[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return history.filter(({ question: { endpoint, text } }) => {
    const all = `${endpoint}\n${text}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
