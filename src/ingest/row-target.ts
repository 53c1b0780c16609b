import { openStore, type StoreOptions } from '../engines/duckdb/store/open-store.ts';
import type { ServerInfo } from '../engines/duckdb/store/server-file.ts';
import { readServerFile } from '../engines/duckdb/store/server-file.ts';
import { StoreError } from '../engines/duckdb/store/store-error.ts';
import type { Source } from '../sources/source.ts';
import { BadRows } from './bad-rows.ts';
import { type BadRowHandling, checkedRows } from './checked-rows.ts';
import { ingest } from './ingest.ts';
import type { Line } from './lines.ts';
import { storedRowEncoder } from './row-encoder.ts';
import { type UploadResult, uploadRows } from './upload.ts';

/** Where an import puts its rows: the store itself, or the server that has it open. */
export interface RowTarget {
  /** Adds rows, all or none, as `ingest` does. */
  add(source: Source, lines: AsyncIterable<Line>, handling: BadRowHandling): Promise<UploadResult>;
  close(): Promise<void>;
}

/**
 * Opens the store or, when a server has it, the way through that server. The lock on the store decides, so that
 * a `server.json` which a killed server left behind misleads nobody: whoever listens at its address now is not
 * sent rows, or the key, unless it is the process that has the store. Throws `StoreError`.
 */
export async function openRowTarget(options: StoreOptions): Promise<RowTarget> {
  try {
    return storeTarget(await openStore(options));
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== 'locked') throw error;
    const server = await readServerFile(options.dataDir);
    if (server === undefined || (error.holder ?? server.pid) !== server.pid) throw error;
    return serverTarget(server);
  }
}

function storeTarget(store: Awaited<ReturnType<typeof openStore>>): RowTarget {
  return {
    async add(source, lines, handling) {
      const result = await ingest(store, source, lines, { ...handling, origin: 'imported' });
      const { imported, repeated, alreadyThere, rejected, rejectedCount } = result;
      return { imported, duplicates: repeated + alreadyThere, rejected: [...rejected], rejectedCount };
    },
    close: () => store.close(),
  };
}

/** Rows are checked here as well: here are their texts, and a bad one needn't travel. */
function serverTarget(server: ServerInfo): RowTarget {
  return {
    async add(source, lines, handling) {
      const badRows = new BadRows();
      const rows = checkedRows(lines, storedRowEncoder(source), badRows, handling);
      const result = await uploadRows(server, rows, {
        source: source.name,
        skipBadRows: handling.skipBadRows,
      });
      return {
        ...result,
        rejected: [...badRows.named, ...result.rejected],
        rejectedCount: badRows.count + result.rejectedCount,
      };
    },
    async close() {},
  };
}
