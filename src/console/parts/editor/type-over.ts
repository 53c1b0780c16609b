import { EditorView } from '@codemirror/view';

/**
 * Replaces the selection when the user types over it. Left to itself, Chromium keeps the style of what it deletes in a
 * style attribute, which the Content-Security-Policy forbids: each such letter would be reported as a violation.
 */
export const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main, ranges } = view.state.selection;
    const { data, inputType, isComposing } = event;
    if (inputType !== 'insertText' || data === null || isComposing || main.empty || ranges.length > 1)
      return false;
    const insert = () =>
      view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    const isHandled = handlers.some((handler) => handler(view, main.from, main.to, data, insert));
    if (!isHandled) view.dispatch(insert());
    return true;
  },
});
