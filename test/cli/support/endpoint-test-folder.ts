import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { UsageError } from '../../../src/base/errors/command-error.ts';
import { exitCodeOf } from '../../../src/cli/output/exit-codes.ts';
import type { TestOptions } from '../../../src/cli/test/options.ts';
import { testCommand } from '../../../src/cli/test/test-command.ts';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import { CapturedOutput } from './captured-output.ts';

interface RunTests extends TestOptions {
  readonly endpoints?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A folder with endpoints, sources and tests. */
export class EndpointTestFolder {
  readonly folder: string;

  /** One for all runs: a start takes as long as many cases. */
  readonly #analyzer: Analyzer;

  private constructor(folder: string, analyzer: Analyzer) {
    this.folder = folder;
    this.#analyzer = analyzer;
  }

  static async create(files: Readonly<Record<string, string>> = {}): Promise<EndpointTestFolder> {
    const made = new EndpointTestFolder(await mkdtemp(path.join(tmpdir(), 'tests-')), await Analyzer.start());
    for (const name of ['endpoints', 'sources']) await mkdir(path.join(made.folder, name));
    await made.write(files);
    return made;
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [file, text] of Object.entries(files)) {
      const at = path.join(this.folder, file);
      await mkdir(path.dirname(at), { recursive: true });
      await writeFile(at, text);
    }
  }

  /** Runs `test`. Paths in the output are relative to the folder, and times are `(N ms)` and `N s`. */
  async run(
    { endpoints = [], environment = {}, signal, ...options }: RunTests = {},
    output = new CapturedOutput(),
  ) {
    const all = {
      ENDPOINTS_DIR: path.join(this.folder, 'endpoints'),
      SOURCES_DIR: path.join(this.folder, 'sources'),
      RECORD_CALLS: 'false',
      DATA_DIR: path.join(this.folder, 'data'),
      ...environment,
    };
    const config = readConfig(all);
    const code = await testCommand(config, { ...output, hasColours: false }, endpoints, options, {
      signal: signal ?? new AbortController().signal,
      environment: all,
      analyzer: this.#analyzer,
    }).catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error;
      output.err(`${error.message}\n`);
      return exitCodeOf(error);
    });
    return { code, out: this.plain(output.stdout), err: this.plain(output.stderr) };
  }

  plain(text: string): string {
    const relative = `${path.relative('', this.folder)}/`;
    return text
      .replaceAll(relative, '')
      .replaceAll(`${this.folder}/`, '')
      .replace(/\(\d+ ms\)/g, '(N ms)')
      .replace(/[\d.]+ s\)/g, 'N s)');
  }

  async remove(): Promise<void> {
    await this.#analyzer.close();
    await rm(this.folder, { recursive: true });
  }
}
