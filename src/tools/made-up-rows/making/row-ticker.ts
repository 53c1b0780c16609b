/** A period. Instants are in microseconds since the epoch. */
export interface Period {
  readonly from: bigint;
  /** Excluded. */
  readonly to: bigint;
}

interface RowTickerOptions<P extends Period> {
  /** Where to start, in microseconds since the epoch: the end of the filling. */
  readonly from: bigint;
  /** The current time, in microseconds since the epoch. */
  readonly clock: () => bigint;
  /** Divides a long period, such as that of sleep mode, into parts that are added one after the other. */
  readonly partsOf: (from: bigint, to: bigint) => readonly P[];
  /** Whether the store contains rows that are not made up. */
  readonly hasOtherRows: () => Promise<boolean>;
  /** Adds the rows of a period. */
  readonly add: (period: P) => Promise<unknown>;
  /** Called once if the ticker ends without being stopped. */
  readonly onEnd: (reason: TickerEnd) => void;
}

/** Why a ticker ended without being stopped: the store contains other rows, or adding rows failed. */
export type TickerEnd =
  | { readonly kind: 'other rows' }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface RowTicker {
  /** Resolves when the rows that are being added are committed. Afterwards the store may be closed. */
  stop(): Promise<void>;
}

const microsPerSecond = 1_000_000n;
const intervalMs = 1000;

/** Adds, each second, the made-up rows of the past seconds. After a long pause, it catches up. */
export function startRowTicker<P extends Period>(options: RowTickerOptions<P>): RowTicker {
  const { clock, partsOf, hasOtherRows, add, onEnd } = options;
  let from = options.from;
  let stopped = false;
  let adding: Promise<void> | undefined;

  const timer = setInterval(() => {
    adding ??= tick().finally(() => {
      adding = undefined;
    });
  }, intervalMs);

  const stop = async () => {
    stopped = true;
    clearInterval(timer);
    await adding;
  };

  const end = (reason: TickerEnd) => {
    if (stopped) return;
    stopped = true;
    clearInterval(timer);
    onEnd(reason);
  };

  const tick = async () => {
    const to = (clock() / microsPerSecond) * microsPerSecond;
    try {
      for (const part of partsOf(from, to)) {
        if (stopped) return;
        if (await hasOtherRows()) return end({ kind: 'other rows' });
        await add(part);
        from = part.to;
      }
    } catch (error) {
      const hasOther = await hasOtherRows().catch(() => false);
      end(hasOther ? { kind: 'other rows' } : { kind: 'failed', error });
    }
  };

  return { stop };
}
