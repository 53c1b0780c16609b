import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command, type Environment, type Outcome } from './command.ts';
import { endProcess, processesNaming } from './processes.ts';

/** Folders of one group of tests: a store, sources, endpoints, and the temporary files of its processes. */
export class Workspace {
  readonly root: string;
  readonly environment: Environment;
  readonly #commands: Command[] = [];

  private constructor(root: string) {
    this.root = root;
    this.environment = {
      TMPDIR: this.path('tmp'),
      DATA_DIR: this.path('data'),
      SOURCES_DIR: this.path('sources'),
      ENDPOINTS_DIR: this.path('endpoints'),
      PORT: '0',
      API_KEY: 'a-key',
      LOG_FORMAT: 'text',
      SHUTDOWN_DELAY_MS: '0',
      RECORD_CALLS: 'false',
    };
  }

  static async create(): Promise<Workspace> {
    // A short name: the path of a Unix socket below it has little room.
    const workspace = new Workspace(await mkdtemp(path.join(tmpdir(), 'gw-')));
    for (const folder of ['tmp', 'sources', 'endpoints']) await mkdir(workspace.path(folder));
    return workspace;
  }

  /** With the sources and endpoints that are shipped. */
  static async withShippedSchema(): Promise<Workspace> {
    const workspace = await Workspace.create();
    for (const folder of ['sources', 'endpoints']) {
      await cp(path.join('schema', folder), workspace.path(folder), { recursive: true });
    }
    return workspace;
  }

  path(...parts: string[]): string {
    return path.join(this.root, ...parts);
  }

  async write(file: string, text: string | Uint8Array): Promise<string> {
    await mkdir(path.dirname(this.path(file)), { recursive: true });
    await writeFile(this.path(file), text);
    return this.path(file);
  }

  /** Rows as a file of NDJSON lines. */
  writeRows(file: string, rows: readonly object[]): Promise<string> {
    return this.write(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }

  /** Starts `gateway <args>`. */
  start(args: readonly string[], settings: Environment = {}): Command {
    return this.#keep(Command.gateway(args, { ...this.environment, ...settings }));
  }

  /** Starts `gateway <args>` in a folder. */
  startIn(folder: string, args: readonly string[], settings: Environment = {}): Command {
    return this.#keep(Command.gateway(args, { ...this.environment, ...settings }, folder));
  }

  /** Starts `npm <args>`. */
  npm(args: readonly string[], settings: Environment = {}): Command {
    return this.#keep(Command.npm(args, { ...this.environment, ...settings }));
  }

  /** Runs `gateway <args>` to its end. */
  run(args: readonly string[], settings: Environment = {}): Promise<Outcome> {
    return this.start(args, settings).outcome;
  }

  #keep(command: Command): Command {
    this.#commands.push(command);
    return command;
  }

  /** What the workspace's processes have left in the folder for temporary files; npm keeps a cache there. */
  async temporaryFiles(): Promise<string[]> {
    return (await readdir(this.path('tmp'))).filter((name) => name !== 'node-compile-cache');
  }

  /** The ids of the analyzers that were started for this workspace and still run. */
  async analyzers(): Promise<number[]> {
    const running = await processesNaming(this.path('tmp'));
    return running.filter(({ command }) => /^\S+remote_server/.test(command)).map(({ pid }) => pid);
  }

  /** Ends what still runs, and removes the folders. */
  async remove(): Promise<void> {
    // Not SIGKILL, which npm could not pass on.
    await Promise.all(this.#commands.map((command) => command.stop('SIGTERM')));
    for (const pid of await this.analyzers()) endProcess(pid);
    await rm(this.root, { recursive: true, force: true });
  }
}
