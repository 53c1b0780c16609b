import type { RequestText } from './read-operations.ts';

/**
 * Everything in a request that changes the part `data` of its answer, and nothing else. Whoever may ask anything may ask
 * everything, so callers share answers.
 */
export function readyAnswerKey(text: RequestText, redactPii: boolean, host = ''): string {
  // Neither a host nor the rest of the first line has a line break. The bytes of a body stay apart as characters.
  const [method, content] = typeof text === 'string' ? ['GET', text] : ['POST', text.toString('latin1')];
  return `${redactPii ? 'redacted' : 'plain'} ${method} ${host}\n${content}`;
}
