import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import type {
  CompletionItem,
  Diagnostic,
  DocumentSymbol,
  Hover,
  InitializeResult,
  Location,
  ProtocolConnection,
  PublishDiagnosticsParams,
} from 'vscode-languageserver-protocol';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { systemClock } from '../../../../src/base/system/clock.ts';
import { serveStreams } from '../../../../src/tools/language-server/serve-streams.ts';

/** A folder with the files of a project. */
export class ProjectFolder {
  readonly path: string;

  private constructor(folder: string) {
    this.path = folder;
  }

  static async create(files: Readonly<Record<string, string>>): Promise<ProjectFolder> {
    const folder = new ProjectFolder(await realpath(await mkdtemp(path.join(tmpdir(), 'editor-'))));
    for (const [name, text] of Object.entries(files)) await folder.write(name, text);
    return folder;
  }

  async write(name: string, text: string): Promise<void> {
    await mkdir(path.dirname(path.join(this.path, name)), { recursive: true });
    await writeFile(path.join(this.path, name), text);
  }

  uri(name = ''): string {
    return pathToFileURL(path.join(this.path, name)).href;
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }
}

/** An editor with the server in the same process. */
export class Editor {
  readonly exitCode: Promise<number>;
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly client: ProtocolConnection;
  readonly messages: string[] = [];
  readonly #folder: ProjectFolder;
  readonly #diagnostics = new Map<string, readonly Diagnostic[]>();
  readonly #texts = new Map<string, { version: number; text: string }>();

  constructor(folder: ProjectFolder, environment: Readonly<Record<string, string>> = {}) {
    this.#folder = folder;
    this.exitCode = serveStreams({
      input: this.input,
      output: this.output,
      environment,
      currentFolder: tmpdir(),
      clock: systemClock,
      isAlive: () => true,
    });
    this.client = createProtocolConnection(
      new StreamMessageReader(this.output),
      new StreamMessageWriter(this.input),
    );
    this.client.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      this.#diagnostics.set(params.uri, params.diagnostics);
    });
    for (const method of ['window/showMessage', 'window/logMessage']) {
      this.client.onNotification(method, ({ message }: { message: string }) => {
        this.messages.push(message);
      });
    }
    this.client.listen();
  }

  /** Starts the server as an editor does. */
  async start(options: object = {}): Promise<InitializeResult> {
    const result = await this.client.sendRequest<InitializeResult>('initialize', {
      processId: null,
      rootUri: null,
      capabilities: {},
      workspaceFolders: [{ uri: this.#folder.uri(), name: 'project' }],
      ...options,
    });
    await this.client.sendNotification('initialized', {});
    return result;
  }

  /** Asks the server to exit, and returns its exit code. */
  async stop(): Promise<number> {
    await this.client.sendRequest('shutdown');
    await this.client.sendNotification('exit');
    return this.exitCode;
  }

  /** Opens a file, or replaces its text. */
  async write(name: string, text: string): Promise<void> {
    const uri = this.#folder.uri(name);
    const before = this.#texts.get(uri);
    const version = (before?.version ?? 0) + 1;
    this.#texts.set(uri, { version, text });
    if (before === undefined) {
      const languageId = path.extname(name).slice(1);
      await this.client.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId, version, text },
      });
    } else {
      await this.client.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      });
    }
  }

  async close(name: string): Promise<void> {
    const uri = this.#folder.uri(name);
    this.#texts.delete(uri);
    await this.client.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  /** The latest problems of a file, as `LINE:COL-COL text`. */
  problems(name: string): readonly string[] | undefined {
    return this.#diagnostics
      .get(this.#folder.uri(name))
      ?.map(
        ({ range: { start, end }, message }) =>
          `${start.line + 1}:${start.character + 1}-${end.character + 1} ${message}`,
      );
  }

  /** Waits until a file has these problems. */
  async expectProblems(name: string, expected: readonly unknown[]): Promise<void> {
    await expect.poll(() => this.problems(name) ?? []).toEqual(expected);
  }

  /** The hover text at the `¦` of a text. */
  async hover(name: string, marked: string): Promise<string | undefined> {
    const hover = await this.#ask<Hover | null>('hover', name, marked);
    return hover === null ? undefined : (hover.contents as { value: string }).value;
  }

  /** The completions at the `¦` of a text. */
  complete(name: string, marked: string): Promise<CompletionItem[]> {
    return this.#ask('completion', name, marked);
  }

  async labels(name: string, marked: string): Promise<string[]> {
    return (await this.complete(name, marked)).map(({ label }) => label);
  }

  definition(name: string, marked: string): Promise<Location | null> {
    return this.#ask('definition', name, marked);
  }

  symbols(name: string): Promise<DocumentSymbol[]> {
    return this.client.sendRequest('textDocument/documentSymbol', {
      textDocument: { uri: this.#folder.uri(name) },
    });
  }

  async #ask<T>(feature: string, name: string, marked: string): Promise<T> {
    const offset = marked.indexOf('¦');
    await this.write(name, marked.slice(0, offset) + marked.slice(offset + 1));
    const before = marked.slice(0, offset).split('\n');
    return this.client.sendRequest(`textDocument/${feature}`, {
      textDocument: { uri: this.#folder.uri(name) },
      position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 },
    });
  }
}

export const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** The settings of an endpoint. */
export function settings(n: number, more = ''): string {
  return `/*\nid: ${uuid(n)}\nname: e${n}\n${more}*/\n`;
}
