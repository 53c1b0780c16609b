import type { Access } from '../../access/access.ts';
import { cachePartition } from '../../access/caller.ts';
import { queryingCaller } from '../../access/querying-caller.ts';
import { asksForRedaction } from '../../http/asks-for-redaction.ts';
import type { Shortcut } from '../../http/shortcut.ts';
import { responseType } from './accept.ts';
import { sendReadyAnswer } from './graphql-answer.ts';
import { graphqlPath } from './graphql-path.ts';
import { readyAnswerKey } from './ready-answer-key.ts';
import type { SchemaAnswers } from './ready-answers.ts';

interface ReadyShortcutOptions {
  readonly access: Access;
  readonly ready: SchemaAnswers;
}

/** The media type that clients send, in its usual spellings. */
const plainJson = /^application\/json(?:; ?charset=utf-8)?$/i;

/**
 * Answers a POST whose body was answered before from what is ready and valid, without a look into the body. The caller
 * is let in as on the long way, which everything out of the ordinary is left to, and bodies that aren't there yet.
 */
export function readyShortcut({ access, ready }: ReadyShortcutOptions): Shortcut {
  return (request, response, watched) => {
    const { method, url, headers } = request;
    if (method !== 'POST' || url !== graphqlPath) return false;
    const length = Number(headers['content-length'] ?? 0);
    if (length === 0 || request.readableLength !== length) return false;
    const isPlain =
      headers.host !== undefined &&
      headers['content-encoding'] === undefined &&
      plainJson.test(headers['content-type'] ?? '');
    const caller = isPlain ? queryingCaller(request, access) : undefined;
    if (caller === undefined) return false;
    const body: unknown = request.read();
    if (!(body instanceof Buffer)) return false;
    const id = watched.requestId;
    const redactPii = asksForRedaction(headers['lf-endpoint-redact-pii']) || caller.redact === true;
    const by = { share: cachePartition(caller), redactPii, host: headers.host };
    const answer = ready.find(readyAnswerKey(body, by), id);
    if (answer === undefined) {
      request.unshift(body);
      return false;
    }
    const noted = watched.facts;
    noted.key = caller.name;
    Object.assign(noted, answer.facts);
    noted.bytes = sendReadyAnswer(response, id, answer, responseType(headers.accept));
    return true;
  };
}
