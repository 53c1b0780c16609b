import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { LimitFunction } from 'p-limit';
import { raceWithAbort } from '../../../base/async/race-with-abort.ts';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { Span } from '../../../base/forms/spans.ts';
import { isReference } from '../../../definitions/sources/row-key.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import type { FileRows } from './insert/file-rows.ts';
import type { RowBatch } from './insert/row-batch.ts';
import { idsSince, lastRows, timesSince } from './insert/rows-since.ts';
import { Staging } from './insert/staging.ts';
import type { AppendResult } from './store.ts';
import type { ListTables } from './tables/list-tables.ts';
import { type RowOrigin, writeOrigin } from './tables/metadata.ts';
import { haveSameForm, SourceChanged } from './tables/source-changed.ts';
import type { ChangingRows } from './transactions/changing-rows.ts';
import type { SnapshotGate } from './transactions/snapshot-gate.ts';
import { inTransaction } from './transactions/transaction.ts';
import { shortageError } from './upkeep/shortage.ts';

interface AppendTask {
  readonly instance: DuckDBInstance;
  /** Lets one import be copied at a time. */
  readonly imports: <T>(task: () => Promise<T>) => Promise<T>;
  /** Lets one writer commit at a time. */
  readonly writes: LimitFunction;
  /** For commits that only add rows. */
  readonly gate: Pick<SnapshotGate, 'commit'>;
  /** For other commits. */
  readonly closedGate: Pick<SnapshotGate, 'commit'>;
  readonly changing: ChangingRows;
  /** The source whose form the rows have. */
  readonly source: Source;
  /** Its present form, which doesn't change while rows are copied. Undefined if it is gone. */
  readonly present: () => Source | undefined;
  readonly listTables: ListTables;
  readonly batches: AsyncIterable<RowBatch>;
  readonly file: FileRows | undefined;
  /** Whether the rows replace all that the source has. */
  readonly isReplacing: boolean;
  /** Throws if the disk is full. */
  readonly refuseWithoutSpace: () => Promise<void>;
  readonly origin: RowOrigin;
  /** The origin of the stored rows, as of the last commit. */
  readonly storedOrigin: () => RowOrigin | undefined;
  readonly signal: AbortSignal;
}

/** Up to this many rows become visible at once: they are in one or two of DuckDB's vectors. */
const rowsSeenAtOnce = 2048;

/** Stages the rows, then commits them when it is this writer's turn. The contract is `Store.append`'s. */
export async function append(task: AppendTask): Promise<AppendResult> {
  task.signal.throwIfAborted();
  const connection = await task.instance.connect();
  const interrupt = () => connection.interrupt();
  task.signal.addEventListener('abort', interrupt);
  try {
    const staging = await Staging.create(connection, task.source);
    let repeated = 0;
    const stageAll = async (transaction: Transaction) => {
      await stage(task, staging, transaction);
      repeated = await staging.dropRepeatedIds();
      await staging.findOrder();
    };
    if (task.file === undefined) await stageAll((add) => inTransaction(connection, () => undefined, add));
    return await task.imports(async () => {
      task.signal.throwIfAborted();
      await task.refuseWithoutSpace();
      const present = task.present();
      if (present === undefined) throw new SourceChanged();
      if (isReference(present)) {
        if (task.file === undefined) await staging.use(present);
        else if (!haveSameForm(present, task.source)) throw new SourceChanged();
        const taskOfPresent = { ...task, source: present };
        return await replaceRows(taskOfPresent, connection, staging, stageAll, () => repeated, interrupt);
      }
      if (task.file === undefined) {
        await staging.use(present);
        return await copyBesideWriters(
          { ...task, source: present },
          connection,
          staging,
          repeated,
          interrupt,
        );
      }
      if (!haveSameForm(present, task.source)) throw new SourceChanged();
      const { file } = task;
      return await task
        .writes(() =>
          inTransaction(
            connection,
            ({ imported, spans }) => gateFor(task, imported, spans),
            async () => {
              const last = await lastRows(connection, task.source);
              await staging.takeFile(file);
              await stageAll((add) => add());
              const result = { ...(await copy(staging, task)), repeated };
              await prepareCommit(task, connection, result.imported, interrupt);
              return { ...result, spans: await timesSince(connection, task.source, last) };
            },
          ),
        )
        .then(({ spans: _, ...result }) => result);
    });
  } catch (error) {
    // An interrupted query rejects with DuckDB's error.
    task.signal.throwIfAborted();
    throw shortageError(error) ?? error;
  } finally {
    task.signal.removeEventListener('abort', interrupt);
    connection.closeSync();
  }
}

/**
 * Adds the rows of a reference table, which are few: they replace all rows, or those with their ids. Other writers wait.
 *
 * @param stageAll stages the rows beside a file's
 * @param repeated how many rows of the import are left out because another one has their id
 */
async function replaceRows(
  task: AppendTask,
  connection: DuckDBConnection,
  staging: Staging,
  stageAll: (transaction: Transaction) => Promise<void>,
  repeated: () => number,
  interrupt: () => void,
): Promise<AppendResult> {
  const { source, file, isReplacing, writes, closedGate, changing, listTables } = task;
  const gate = changing.gate([{ source: source.name }], closedGate);
  return await writes(() =>
    inTransaction(
      connection,
      () => gate,
      async () => {
        if (file !== undefined) {
          await staging.takeFile(file);
          await stageAll((add) => add());
        }
        const replaces = isReplacing || (await staging.hasKnownIds());
        const replaced = replaces ? await staging.replaceKnown(isReplacing) : 0;
        const { flat, lists } = await staging.copyToTables();
        if (lists > 0) listTables.use(source);
        await prepareCommit(task, connection, flat + lists, interrupt);
        return { imported: flat + lists, repeated: repeated(), alreadyThere: 0, replaced };
      },
    ),
  );
}

/**
 * Copies staged rows into the source's tables while other writers add rows. Only the commit is this writer's turn, with a look
 * at the rows that came meanwhile.
 */
async function copyBesideWriters(
  task: AppendTask,
  connection: DuckDBConnection,
  staging: Staging,
  repeated: number,
  interrupt: () => void,
): Promise<AppendResult> {
  let last: readonly bigint[] = [];
  let addedMeanwhile = 0;
  let copied = { imported: 0, alreadyThere: 0 };
  const commitInTurn = (commit: () => Promise<void>) =>
    task.writes(async () => {
      addedMeanwhile = await staging.removeCopied(await idsSince(task, last));
      await prepareCommit(task, connection, copied.imported - addedMeanwhile, interrupt);
      const spans = await timesSince(connection, task.source, last);
      await gateFor(task, copied.imported, spans).commit(commit);
    });
  await inTransaction(
    connection,
    () => ({ commit: commitInTurn }),
    async () => {
      // From this first read on, no checkpoint changes the numbers of rows.
      last = await lastRows(connection, task.source);
      copied = await copy(staging, task);
    },
  );
  return {
    imported: copied.imported - addedMeanwhile,
    repeated,
    alreadyThere: copied.alreadyThere + addedMeanwhile,
  };
}

async function copy(
  staging: Staging,
  { listTables, source }: AppendTask,
): Promise<{ imported: number; alreadyThere: number }> {
  const alreadyThere = await staging.dropKnownIds();
  const { flat, lists } = await staging.copyToTables();
  if (lists > 0) listTables.use(source);
  return { imported: flat + lists, alreadyThere };
}

/** The last steps of a writer whose turn it is. */
async function prepareCommit(
  { origin, storedOrigin, signal }: AppendTask,
  connection: DuckDBConnection,
  imported: number,
  interrupt: () => void,
): Promise<void> {
  // Demo rows are never added to a store with other rows.
  if (origin === 'demo' && storedOrigin() === 'imported')
    throw new GatewayError('FORBIDDEN', 'The store holds imported rows: demo rows are not added to it.');
  if (imported > 0 && storedOrigin() !== origin) await writeOrigin(connection, origin);
  signal.throwIfAborted();
  // From here on, the rows belong to the store: an abort comes too late.
  signal.removeEventListener('abort', interrupt);
}

function gateFor(
  { gate, changing, source }: AppendTask,
  imported: number,
  spans: readonly Span[],
): AppendTask['gate'] {
  return changing.gate(
    [{ source: source.name, spans, added: imported }],
    imported > rowsSeenAtOnce ? gate : undefined,
  );
}

/** The target of a batch. */
type Transaction = (add: () => Promise<void>) => Promise<void>;

/**
 * Overlaps adding a batch to DuckDB with making the next one.
 *
 * @param transaction runs the adding of a batch. Each call has a cost, which grows with the number of columns
 */
async function stage(task: AppendTask, staging: Staging, transaction: Transaction): Promise<void> {
  let adding: Promise<void> = Promise.resolve();
  try {
    for await (const batch of abortable(task.batches, task.signal)) {
      await adding;
      await task.refuseWithoutSpace();
      adding = transaction(() => staging.add(batch));
      // The next await meets its failure. Until then, it must not be an unhandled rejection.
      adding.catch(() => undefined);
    }
  } finally {
    await adding;
  }
  task.signal.throwIfAborted();
}

/**
 * The items of an iterable until the signal is aborted. Then it throws the signal's reason at once, even while it awaits
 * the next item. The iterable is closed, without waiting for it.
 */
export async function* abortable<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  let ended = false;
  try {
    while (true) {
      const next = await raceWithAbort(() => iterator.next(), signal);
      if (next.done) {
        ended = true;
        return;
      }
      yield next.value;
    }
  } finally {
    if (!ended) iterator.return?.().catch(() => undefined);
  }
}
