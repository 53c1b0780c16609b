import type { RequestText } from './read-operations.ts';

/** What changes an answer beside what is asked. */
interface AnswerFacts {
  /** Those who share answers, as `cachePartition` tells. */
  readonly share: string;
  readonly redactPii: boolean;
  readonly host: string | undefined;
}

/** Everything in a request that changes the part `data` of its answer, and nothing else. */
export function readyAnswerKey(text: RequestText, { share, redactPii, host = '' }: AnswerFacts): string {
  // Neither a host nor the rest of the first line has a line break. The bytes of a body stay apart as characters.
  const [method, content] = typeof text === 'string' ? ['GET', text] : ['POST', text.toString('latin1')];
  return `${share} ${redactPii ? 'redacted' : 'plain'} ${method} ${host}\n${content}`;
}
