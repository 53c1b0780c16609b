import {
  type Connection,
  createConnection,
  type InitializeError,
  type InitializeParams,
  type InitializeResult,
  LSPErrorCodes,
  MessageType,
  type ProtocolConnection,
  ResponseError,
  ShowMessageNotification,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import type { Logger, TextDocumentPositionParams } from 'vscode-languageserver-protocol';
import type { Problem } from '../../base/errors/problem.ts';
import type { Clock } from '../../base/system/clock.ts';
import { filesOnDisk } from '../../base/system/folder-files.ts';
import { ConfigError } from '../../definitions/settings/config.ts';
import { AnalyzerUnavailableError } from '../../sql/analyzer/error.ts';
import { DiagnosticsPublisher } from './diagnostics-publisher.ts';
import { OpenDocuments } from './documents.ts';
import { type DocumentPlace, LanguageFeatures } from './language-features.ts';
import { openWorkspace, type Workspace } from './open-workspace.ts';
import { EditedFiles } from './project/edited-files.ts';
import type { ProblemsByFile } from './project/project.ts';
import { OptionsError, workspaceConfig } from './workspace-config.ts';

export interface LanguageServerOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder of the workspace for clients that name none. */
  readonly currentFolder: string;
  readonly clock: Clock;
  /** Gets the process that has started the client, which the server does not outlive. */
  readonly onClient: (processId: number) => void;
  /** Gets the exit code when the client asks the server to exit. */
  readonly onExit: (code: number) => void;
}

/**
 * Serves one client by the Language Server Protocol: it checks endpoints and sources as they are in the editor, and says
 * what can be written in them.
 *
 * @param connect makes the connection to the client
 * @returns closes everything that it has opened
 */
export function languageServer(
  connect: (logger: Logger) => ProtocolConnection,
  options: LanguageServerOptions,
): { close(): Promise<void> } {
  const connection = createConnection(connect, {
    shutdownReceived: false,
    initialize: ({ processId }) => {
      if (typeof processId === 'number') options.onClient(processId);
    },
    exit: options.onExit,
  });
  const session = new Session(connection, options);
  connection.listen();
  return session;
}

class Session {
  readonly #connection: Connection;
  readonly #options: LanguageServerOptions;
  readonly #files = new EditedFiles(filesOnDisk);
  readonly #documents: OpenDocuments;
  readonly #publisher: DiagnosticsPublisher;
  #workspace: Workspace | undefined;
  /** Opens the workspace. Closing waits for it: a client may leave meanwhile. */
  #opening: Promise<Workspace> | undefined;
  #features: LanguageFeatures | undefined;
  /** What the client's user was told last about a folder. */
  #warned = '';

  constructor(connection: Connection, options: LanguageServerOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#documents = new OpenDocuments(connection, (file, text) => {
      this.#files.edit(file, text);
      this.#workspace?.check();
    });
    this.#publisher = new DiagnosticsPublisher(connection, this.#documents, this.#files);
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => this.#workspace?.check());
    connection.onHover((params) => this.#at(params, null, (features, place) => features.hover(place)));
    connection.onCompletion((params) => this.#at(params, [], (features, place) => features.complete(place)));
    connection.onDefinition((params) =>
      this.#at(params, null, (features, place) => features.definition(place)),
    );
    connection.onDocumentSymbol(({ textDocument: { uri } }) => {
      const open = this.#documents.open(uri);
      return open === undefined ? [] : (this.#features?.symbols(open) ?? []);
    });
    connection.onShutdown(() => this.close());
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    const workspace = await opening?.catch(() => undefined);
    this.#workspace = undefined;
    await workspace?.close();
  }

  async #open(params: InitializeParams): Promise<Workspace> {
    const { environment, currentFolder, clock } = this.#options;
    const config = await workspaceConfig(params, environment, currentFolder);
    return openWorkspace({
      config,
      files: this.#files,
      clock,
      onChecked: (file, problems) => this.#publisher.publish(file, problems),
      onProblems: (problems, signal) => this.#publish(problems, signal),
      onFailure: (error) => this.#connection.console.error(messageOf(error)),
      warn: (message) => this.#connection.console.warn(message),
    });
  }

  async #initialize(params: InitializeParams): Promise<InitializeResult | ResponseError<InitializeError>> {
    try {
      this.#opening = this.#open(params);
      this.#workspace = await this.#opening;
    } catch (error) {
      if (!isExpected(error)) throw error;
      // Trying again changes nothing until the user has changed the settings.
      return new ResponseError(LSPErrorCodes.RequestFailed, messageOf(error), { retry: false });
    }
    this.#features = new LanguageFeatures(this.#workspace);
    return {
      serverInfo: { name: 'endpoint-gateway' },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        hoverProvider: true,
        completionProvider: { triggerCharacters: ['.', '@'] },
        definitionProvider: true,
        documentSymbolProvider: true,
      },
    };
  }

  async #publish(problems: ProblemsByFile, signal: AbortSignal): Promise<void> {
    const { endpointsDir, sourcesDir } = this.#workspace?.project.settings ?? {};
    const isFolder = (file: string) => file === endpointsDir || file === sourcesDir;
    const ofFiles = new Map([...problems].filter(([file]) => !isFolder(file)));
    await this.#publisher.publishAll(ofFiles, signal);
    this.#warn([...problems].filter(([file]) => isFolder(file)).flatMap(([, found]) => found));
  }

  /** Problems of folders are in no file that an editor could show. */
  #warn(problems: readonly Problem[]): void {
    const text = problems.map(({ file, text }) => `${file}: ${text}`).join('\n');
    if (text !== '' && text !== this.#warned) this.#tell(text);
    this.#warned = text;
  }

  #tell(message: string): void {
    this.#connection
      .sendNotification(ShowMessageNotification.type, { type: MessageType.Warning, message })
      // A client that has left can't be told.
      .catch(() => undefined);
  }

  async #at<T>(
    { textDocument: { uri }, position }: TextDocumentPositionParams,
    nothing: T,
    answer: (features: LanguageFeatures, place: DocumentPlace) => Promise<T>,
  ): Promise<T> {
    const open = this.#documents.open(uri);
    if (open === undefined || this.#features === undefined) return nothing;
    return answer(this.#features, { ...open, offset: open.document.offsetAt(position) });
  }
}

function isExpected(error: unknown): boolean {
  return (
    error instanceof ConfigError || error instanceof OptionsError || error instanceof AnalyzerUnavailableError
  );
}

function messageOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof OptionsError) return error.message;
  if (error instanceof AnalyzerUnavailableError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
