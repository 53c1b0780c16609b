import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Connection } from 'vscode-languageserver';
import { TextDocuments } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';

/** The documents that a client has open, by the path of their file. */
export class OpenDocuments {
  readonly #documents = new TextDocuments(TextDocument);
  readonly #files = new Map<string, string>();

  /** @param onEdit gets the new text of a file, or undefined when it is closed */
  constructor(connection: Connection, onEdit: (file: string, text: string | undefined) => void) {
    this.#documents.onDidChangeContent(({ document }) => {
      const file = this.#files.get(document.uri) ?? fileOf(document.uri);
      if (file === undefined) return;
      this.#files.set(document.uri, file);
      onEdit(file, document.getText());
    });
    this.#documents.onDidClose(({ document: { uri } }) => {
      const file = this.#files.get(uri);
      this.#files.delete(uri);
      if (file !== undefined) onEdit(file, undefined);
    });
    this.#documents.listen(connection);
  }

  /** The document with this address, and the path of its file. Undefined if it is not open, or no file. */
  open(uri: string): { readonly file: string; readonly document: TextDocument } | undefined {
    const document = this.#documents.get(uri);
    const file = this.#files.get(uri);
    return document === undefined || file === undefined ? undefined : { file, document };
  }

  /** The open document of a file. */
  ofFile(file: string): TextDocument | undefined {
    const [uri] = [...this.#files].find(([, other]) => other === file) ?? [];
    return uri === undefined ? undefined : this.#documents.get(uri);
  }

  /** The address by which the client knows a file. */
  uriOf(file: string): string {
    return this.ofFile(file)?.uri ?? pathToFileURL(file).href;
  }
}

function fileOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    return canonicalPath(fileURLToPath(uri));
  } catch {
    // Not an address of a file on this machine.
    return undefined;
  }
}

/** The path without symbolic links in its folders: editors and settings may take different ways to one. */
function canonicalPath(file: string): string {
  return path.join(canonicalFolder(path.dirname(file)), path.basename(file));
}

/** The folder without symbolic links on its path. */
export function canonicalFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // It may be created later.
    return path.resolve(folder);
  }
}
