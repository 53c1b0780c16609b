import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import type { Completions } from '../../../sql/editing/completion.ts';
import type { Span } from './place.ts';

/** What the gateway knows of a text. Positions are in UTF-16 units. */
export interface EditorService {
  complete(text: string, position: number): Promise<Completions>;
  hover(text: string, position: number): Promise<(Span & { readonly text: string }) | null>;
}

/** Shows what the gateway knows of a name when the mouse rests on it. */
export function servedHover(service: EditorService): Extension {
  return hoverTooltip(async (view, position) => {
    const found = await service.hover(view.state.doc.toString(), position).catch(() => null);
    if (found === null) return null;
    return { pos: found.from, end: found.to, above: true, create: () => ({ dom: described(found.text) }) };
  });
}

/** A description in Markdown: paragraphs and code, as texts. */
function described(markdown: string): HTMLElement {
  const box = document.createElement('div');
  box.className = 'cm-described';
  for (const part of markdown.split(/(```[\s\S]*?```)/)) {
    const code = /^```\w*\n([\s\S]*?)\n?```$/.exec(part);
    const text = code?.[1] ?? part.trim().replace(/\*\*|`/g, '');
    if (text === '') continue;
    const element = document.createElement(code === null ? 'p' : 'pre');
    element.textContent = text;
    box.append(element);
  }
  return box;
}
