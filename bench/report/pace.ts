import type { Scale } from './report-options.ts';

/** How much and how long the parts measure. */
export interface Pace {
  /** How long each part waits at most for others to leave the machine alone. */
  readonly quietSeconds: number;
  /** Rows of the stores of `latency`. */
  readonly sizes: readonly number[];
  /** Rows of the store of the other parts, and of imported files. */
  readonly rows: number;
  readonly importRows: number;
  readonly servers: { readonly rounds: number; readonly seconds: number };
  readonly callers: { readonly callers: number; readonly rounds: number };
  readonly overload: { readonly rounds: number; readonly seconds: number; readonly openingSeconds: number };
  /** The rows of each store, and the runs after new rows. */
  readonly refreshes: { readonly sizes: readonly number[]; readonly runs: number };
  readonly hits: { readonly rounds: number; readonly seconds: number };
  readonly imports: { readonly rounds: number; readonly seconds: number };
  readonly planning: { readonly texts: number };
  readonly memory: { readonly rounds: number; readonly seconds: number };
  /** Runs of each query of `latency`. */
  readonly runs?: {
    readonly warmUps: number;
    readonly leastRuns: number;
    readonly maxRuns: number;
    readonly budgetMs: number;
  };
}

const usual: Pace = {
  quietSeconds: 120,
  sizes: [1_000_000],
  rows: 1_000_000,
  importRows: 500_000,
  servers: { rounds: 7, seconds: 2 },
  callers: { callers: 1_000, rounds: 5 },
  overload: { rounds: 3, seconds: 6, openingSeconds: 2 },
  refreshes: { sizes: [1_000_000, 3_000_000, 10_000_000], runs: 15 },
  hits: { rounds: 3, seconds: 12 },
  imports: { rounds: 3, seconds: 10 },
  planning: { texts: 40 },
  memory: { rounds: 3, seconds: 6 },
};

export const paces: Readonly<Record<Scale, Pace>> = {
  usual,
  full: {
    ...usual,
    sizes: [1_000_000, 10_000_000, 30_000_000],
    refreshes: { sizes: [1_000_000, 10_000_000, 30_000_000, 100_000_000], runs: 15 },
  },
  quick: {
    quietSeconds: 5,
    sizes: [50_000, 100_000],
    rows: 50_000,
    importRows: 20_000,
    servers: { rounds: 2, seconds: 0.5 },
    callers: { callers: 1_000, rounds: 2 },
    overload: { rounds: 2, seconds: 3, openingSeconds: 1 },
    refreshes: { sizes: [1_000_000, 2_000_000], runs: 3 },
    hits: { rounds: 2, seconds: 3 },
    imports: { rounds: 2, seconds: 3 },
    planning: { texts: 8 },
    memory: { rounds: 2, seconds: 4 },
    runs: { warmUps: 1, leastRuns: 5, maxRuns: 15, budgetMs: 300 },
  },
};
