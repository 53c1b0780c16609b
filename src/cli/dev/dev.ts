import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineOf, isStored } from '../../app/engines/registry.ts';
import { explainFailure } from '../../app/failures/explain-failure.ts';
import { launchGateway } from '../../app/gateway/launch-gateway.ts';
import type { RunningGateway } from '../../app/gateway/run-gateway.ts';
import { newRunKey } from '../../app/gateway/run-key.ts';
import { untilStopped } from '../../app/gateway/until-stopped.ts';
import { makePrivateFolder, removePrivateFolder } from '../../base/processes/private-folder.ts';
import { counted } from '../../base/text/counted.ts';
import type { Config } from '../../definitions/settings/config.ts';
import {
  readServerFile,
  removeServerFile,
  type ServerInfo,
  writeServerFile,
} from '../../engines/duckdb/store/file/server-file.ts';
import { exampleCurl } from '../../server/graphql/examples/examples.ts';
import type { SchemaShape } from '../../server/graphql/shape/shape.ts';
import type { TickerEnd } from '../../tools/made-up-rows/making/row-ticker.ts';
import { startMadeUpGateway } from '../made-up/made-up-gateway.ts';
import type { SessionOutput } from '../made-up/session.ts';
import { openSession, type ReadyGateway, type Session, whereItIs } from '../made-up/session.ts';
import { fillFromSchema } from './fill-from-schema.ts';
import { hasOwnRows, storeState } from './own-rows.ts';
import { untilCorrect } from './until-correct.ts';

/** Endpoints whose calls are shown. */
const shownEndpoints = 3;

interface GreetedGateway extends ReadyGateway {
  readonly shape: SchemaShape;
  /** Which rows it serves. */
  readonly rows: string;
}

/** The text that `dev` prints when it is ready: commands to paste into a shell. */
function greeting({ shape: { endpoints }, rows, ...gateway }: GreetedGateway): string {
  const shown = endpoints.slice(0, shownEndpoints);
  const calls = shown.map((shape) => `  ${exampleCurl(shape, gateway.url, gateway.key)}\n`).join('');
  const more = endpoints.length - shown.length;
  const others = more === 0 ? '' : `and ${counted(more, 'further endpoint')}\n`;
  const none = 'There are no endpoints yet. Add a file to ENDPOINTS_DIR.\n';
  return `
${whereItIs(gateway)}
${rows}
${calls === '' ? none : calls}${others}
Files are reloaded when they change. Press Ctrl-C to stop.`;
}

export interface DevOptions {
  /** Made-up rows per source at the start. 0 serves the rows in `DATA_DIR`; if undefined, only if there are any. */
  readonly rows?: number | undefined;
  /** The same seed gives the same rows. */
  readonly seed?: number | undefined;
}

const defaultRows = 2_000;
const defaultSeed = 1;
/** Rows are made up for so many days, unless they are deleted earlier. */
const maxDays = 7;
const lookMs = 1_000;

/** A gateway that `dev` has started, and the text about its rows. */
interface Served {
  readonly gateway: RunningGateway;
  readonly rows: string;
  close(): Promise<void>;
}

/**
 * Serves the endpoints and reloads them when their files change, until the process is stopped: over the rows in
 * `DATA_DIR` if they are own ones, else over rows made up from the sources' schemas, in a temporary store. When own rows
 * are imported meanwhile, it goes on with them. If files have errors when it starts, it waits until they are corrected.
 * Made-up rows and own rows are never in one store.
 */
export async function devCommand(
  given: Config,
  output: SessionOutput,
  { rows, seed = defaultSeed }: DevOptions = {},
): Promise<number> {
  const session = openSession(given, output);
  const { config, hooks, stop } = session;
  const dev = new Dev(
    { ...session, hooks: { ...hooks, runKey: newRunKey(), writesEndpoints: true } },
    output,
  );
  const mayHaveOwn = rows === undefined && isStored(config);
  try {
    const isOwn =
      rows === 0 || (mayHaveOwn && (await dev.withCorrectFiles(() => hasOwnRows(config, hooks.log))));
    if (isOwn) await dev.serveOwn();
    else if (await dev.serveMadeUp({ rows: rows ?? defaultRows, seed, yields: mayHaveOwn })) {
      output.out(
        `\nThere are rows in ${config.dataDir} now. dev serves them in place of the made-up rows.\n`,
      );
      await dev.serveOwn();
    }
  } catch (error) {
    // A user who stops it while it starts needs no message.
    if (!stop.aborted) throw error;
  }
  await session.close();
  return 0;
}

class Dev {
  readonly #session: Session;
  readonly #output: SessionOutput;
  /** The port of a former gateway, for the next one. */
  #port: number;

  constructor(session: Session, output: SessionOutput) {
    this.#session = session;
    this.#output = output;
    this.#port = session.config.port;
  }

  /** Serves the rows in `DATA_DIR` until the process is stopped. */
  async serveOwn(): Promise<void> {
    const { config, hooks, stop } = this.#session;
    const gateway = await this.withCorrectFiles(() => launchGateway({ ...config, port: this.#port }, hooks));
    const where = engineOf(config).elsewhere?.place ?? config.dataDir;
    this.#greet({ gateway, rows: `It serves the rows in ${where}.`, close: () => gateway.close() });
    await untilStopped(stop, gateway);
  }

  /**
   * Serves made-up rows until the process is stopped or, if they yield to own rows, until there are own rows.
   *
   * @returns whether there are own rows
   */
  async serveMadeUp({
    rows,
    seed,
    yields,
  }: {
    rows: number;
    seed: number;
    yields: boolean;
  }): Promise<boolean> {
    const { config, hooks, stop } = this.#session;
    const folder = await makePrivateFolder('dev');
    try {
      const { dataDir, dataRetentionDays = maxDays } = config;
      const days = Math.min(maxDays, dataRetentionDays);
      const madeUp = await this.withCorrectFiles(() =>
        startMadeUpGateway(
          {
            ...config,
            // Keys are those of the project.
            keysFile: config.keysFile ?? join(dataDir, 'keys.json'),
            dataDir: folder,
          },
          {
            gateway: hooks,
            fill: fillFromSchema({ rowsPerSource: rows, seed, days }, this.#output, stop),
            onEnd: (end) => this.#output.err(`${explainEnd(end)}\n`),
          },
        ),
      );
      const own = await readServerFile(folder);
      // Commands in the project ask this gateway while it stands in for the rows in DATA_DIR.
      if (yields && own !== undefined) await announceMadeUp(dataDir, own);
      this.#greet({ ...madeUp, rows: aboutMadeUp(yields) });
      if (!yields) {
        await untilStopped(stop, madeUp);
        return false;
      }
      const look = {
        state: () => storeState(dataDir),
        hasOwnRows: () => hasOwnRows(config, hooks.log),
        intervalMs: lookMs,
      };
      const areThere = await ownRowsArrival(look, stop);
      this.#port = Number(new URL(madeUp.gateway.url).port);
      await removeServerFile(dataDir, process.pid);
      await madeUp.close();
      return areThere;
    } finally {
      await removePrivateFolder(folder);
    }
  }

  /** Runs an attempt that needs files without errors, as soon as they have none. */
  withCorrectFiles<Outcome>(attempt: () => Promise<Outcome>): Promise<Outcome> {
    const { config, stop } = this.#session;
    return untilCorrect(attempt, {
      ...{ folders: [config.endpointsDir, config.sourcesDir], stop },
      onProblems: (error) =>
        this.#output.err(
          `${explainFailure(error)}\nCorrect this: dev waits for a change, and then starts.\n`,
        ),
    });
  }

  #greet({ gateway, rows }: Served): void {
    const { config } = this.#session;
    this.#output.out(`${greeting({ ...config, ...gateway, rows })}\n`);
  }
}

async function announceMadeUp(dataDir: string, server: ServerInfo): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await writeServerFile(dataDir, { ...server, isMadeUp: true });
}

function aboutMadeUp(yields: boolean): string {
  const made = 'It serves made-up rows, which it forgets when it stops. More are added every second.';
  return yields
    ? `${made}\nTo serve rows of your own instead, import them: npx endpoint-gateway import <source> <files...>`
    : made;
}

function explainEnd(end: TickerEnd): string {
  if (end.kind === 'other rows')
    return 'Rows were posted to this gateway. dev makes up no more rows. It forgets the posted ones when it stops: with --rows 0, it keeps them in DATA_DIR.';
  const reason = end.error instanceof Error ? end.error.message : String(end.error);
  return `dev makes up no more rows: ${reason}`;
}

interface OwnRowsLook {
  /** Differs when the store has changed: see `storeState`. */
  readonly state: () => Promise<string>;
  /** Whether there are own rows. Rejects while another process has the store. */
  readonly hasOwnRows: () => Promise<boolean>;
  /** Time between two looks, in milliseconds. */
  readonly intervalMs: number;
}

/** Resolves to true when the store has got own rows, such as those of `import`; to false when the signal is aborted. */
export async function ownRowsArrival(look: OwnRowsLook, signal: AbortSignal): Promise<boolean> {
  let known = await look.state();
  for (;;) {
    await sleep(look.intervalMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return false;
    const before = await look.state();
    if (before === known) continue;
    try {
      if (await look.hasOwnRows()) return true;
      // Opening the store may have changed its files.
      known = await look.state();
    } catch {
      // An import has the store, or its sources have errors for now.
    }
  }
}
