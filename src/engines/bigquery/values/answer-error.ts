/** An answer of BigQuery's that isn't what the plan lets expect, or makes no sense. Its message says what, and is ours. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
}
