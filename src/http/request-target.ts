const absoluteForm = /^https?:\/\/[^/?]*/i;

/** The two parts of a request target, both still percent-encoded. A proxy's absolute form is understood. */
export function splitRequestTarget(target: string): { path: string; query: string } {
  const local = target.replace(absoluteForm, '');
  const mark = local.indexOf('?');
  if (mark === -1) return { path: local || '/', query: '' };
  return { path: local.slice(0, mark) || '/', query: local.slice(mark + 1) };
}
