import { jsonAnswer } from '../http/response/answer.ts';
import type { KeyedHandler } from '../http/route.ts';
import type { OperationsDocument } from './operations-document.ts';

/** `GET /api/operations`: how this gateway is doing. */
export function operationsHandler(describe: () => Promise<OperationsDocument>): KeyedHandler {
  return async () => jsonAnswer(200, JSON.stringify(await describe()), { 'Cache-Control': 'no-store' });
}
