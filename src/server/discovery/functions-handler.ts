import type { CallableFunction } from '../../sql/analyzer/callable-functions.ts';
import type { KeyedHandler } from '../http/route.ts';
import { documentAnswer } from './document-answer.ts';

/**
 * `GET /api/functions`: the SQL functions that ad-hoc queries can call, for editors that complete their names.
 *
 * @param functions lists them
 */
export function functionsHandler(functions: () => Promise<readonly CallableFunction[]>): KeyedHandler {
  return async ({ context }) => documentAnswer(context.request, { functions: await functions() });
}
