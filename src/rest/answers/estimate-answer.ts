import type { Estimate } from '../../engines/engine.ts';
import { type Answer, jsonAnswer } from '../../http/answer.ts';
import { corsHeaders } from '../../http/cors.ts';

/** What a call would cost: `{"dry_run":{"bytes_processed":N}}`, null where the engine can't tell. */
export function estimateAnswer({ bytesProcessed }: Estimate): Answer {
  const body = JSON.stringify({ dry_run: { bytes_processed: bytesProcessed ?? null } });
  return jsonAnswer(200, body, { ...corsHeaders, 'Cache-Control': 'no-store' });
}
