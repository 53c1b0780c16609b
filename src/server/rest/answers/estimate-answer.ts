import type { Estimate } from '../../../engines/engine/engine.ts';
import { type Answer, jsonAnswer } from '../../http/response/answer.ts';

/** The response with an estimate: `{"dry_run":{"bytes_processed":N}}`, or null if the engine can't estimate. */
export function estimateAnswer({ bytesProcessed }: Estimate): Answer {
  const body = JSON.stringify({ dry_run: { bytes_processed: bytesProcessed ?? null } });
  return jsonAnswer(200, body, { 'Cache-Control': 'no-store' });
}
