import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Problem } from '../../base/errors/problem.ts';

/** Longer lines and texts are cut: editors show them on a few lines. */
const maxMessage = 2_000;

/** What a problem's mark covers: a name, a quoted text or one character. */
const marked = /[@\p{L}\p{N}_]+|"(?:\\.|[^"\\\r\n])*"|'(?:\\.|[^'\\\r\n])*'|`[^`\r\n]*`|[^\r\n]/uy;

/** A problem at its place in a document. A place that the document doesn't have becomes the nearest one. */
export function diagnosticOf({ line, column, text }: Problem, document: TextDocument): Diagnostic {
  const lineText = document.getText({
    start: { line: line - 1, character: 0 },
    end: { line, character: 0 },
  });
  // Columns of problems count code points, those of the protocol UTF-16 units.
  const start = [...lineText].slice(0, column - 1).join('').length;
  marked.lastIndex = start;
  const [mark = ''] = marked.exec(lineText) ?? [];
  const at = (character: number) => document.positionAt(document.offsetAt({ line: line - 1, character }));
  return {
    severity: DiagnosticSeverity.Error,
    range: { start: at(start), end: at(start + mark.length) },
    message: text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text,
    source: 'endpoint-gateway',
  };
}
