/** Thrown when BigQuery's response is invalid, or not what the plan expects. Its message is the gateway's own. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
}
