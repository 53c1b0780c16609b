/** Runs a task on the first call, and returns the same outcome for later ones. A failed task is repeated. */
export function once<T>(task: () => Promise<T>): () => Promise<T> {
  let outcome: Promise<T> | undefined;
  return () => {
    outcome ??= task().catch((error: unknown) => {
      outcome = undefined;
      throw error;
    });
    return outcome;
  };
}
