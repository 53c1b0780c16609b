import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Connection, type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Problem } from '../../base/errors/problem.ts';
import type { FolderFiles } from '../../base/system/folder-files.ts';
import type { OpenDocuments } from './documents.ts';
import { problemSpan } from './problem-span.ts';
import type { ProblemsByFile } from './project/project.ts';

/** Longer lines and texts are cut: editors show them on a few lines. */
const maxMessage = 2_000;

interface Published {
  readonly uri: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Tells the client about problems, and what has become of those that it knows. */
export class DiagnosticsPublisher {
  readonly #connection: Pick<Connection, 'sendDiagnostics'>;
  readonly #documents: OpenDocuments;
  readonly #files: Pick<FolderFiles, 'read'>;
  readonly #published = new Map<string, Published>();

  constructor(
    connection: Pick<Connection, 'sendDiagnostics'>,
    documents: OpenDocuments,
    files: Pick<FolderFiles, 'read'>,
  ) {
    this.#connection = connection;
    this.#documents = documents;
    this.#files = files;
  }

  /** Publishes the problems of all files. Other files have none. */
  async publishAll(problems: ProblemsByFile, signal: AbortSignal): Promise<void> {
    const texts = await Promise.all(
      [...problems].map(async ([file, found]) => [file, found, await this.#document(file)] as const),
    );
    // A change since the check began has made its results outdated.
    signal.throwIfAborted();
    for (const [file, found, document] of texts) this.#send(file, diagnosticsOf(found, document));
    for (const file of [...this.#published.keys()]) if (!problems.has(file)) this.#send(file, []);
  }

  /** Publishes the problems of an open file. */
  publish(file: string, problems: readonly Problem[]): void {
    const document = this.#documents.ofFile(file);
    if (document !== undefined) this.#send(file, diagnosticsOf(problems, document));
  }

  #send(file: string, diagnostics: readonly Diagnostic[]): void {
    const uri = this.#documents.uriOf(file);
    const before = this.#published.get(file);
    const isElsewhere = before !== undefined && before.uri !== uri;
    if (isElsewhere) this.#tell(before.uri, []);
    if (diagnostics.length === 0) this.#published.delete(file);
    else this.#published.set(file, { uri, diagnostics });
    if (isDeepStrictEqual(isElsewhere ? [] : (before?.diagnostics ?? []), diagnostics)) return;
    this.#tell(uri, diagnostics);
  }

  #tell(uri: string, diagnostics: readonly Diagnostic[]): void {
    // A client that has left can't be told.
    this.#connection.sendDiagnostics({ uri, diagnostics: [...diagnostics] }).catch(() => undefined);
  }

  /** The text that problems are in. That of a file which can't be read is empty. */
  async #document(file: string): Promise<TextDocument> {
    const open = this.#documents.ofFile(file);
    if (open !== undefined) return open;
    const bytes = await this.#files.read(file).catch(() => Buffer.alloc(0));
    return TextDocument.create(this.#documents.uriOf(file), path.extname(file).slice(1), 0, bytes.toString());
  }
}

function diagnosticsOf(problems: readonly Problem[], document: TextDocument): readonly Diagnostic[] {
  return problems.map((problem) => diagnosticOf(problem, document));
}

/** A problem at its place in a document. A place that the document doesn't have becomes the nearest one. */
function diagnosticOf(problem: Problem, document: TextDocument): Diagnostic {
  const { start, end } = problemSpan(document.getText(), problem);
  const { text } = problem;
  return {
    severity: DiagnosticSeverity.Error,
    range: { start: document.positionAt(start), end: document.positionAt(end) },
    message: text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text,
    source: 'endpoint-gateway',
  };
}
