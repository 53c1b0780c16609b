const absoluteForm = /^https?:\/\/[^/?]*/i;

/**
 * Splits a request target into path and query string, both still percent-encoded. Supports the absolute form that
 * proxies send.
 */
export function splitRequestTarget(target: string): { path: string; query: string } {
  const local = target.replace(absoluteForm, '');
  const mark = local.indexOf('?');
  if (mark === -1) return { path: local || '/', query: '' };
  return { path: local.slice(0, mark) || '/', query: local.slice(mark + 1) };
}
