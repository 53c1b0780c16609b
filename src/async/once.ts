/** Runs a task when its outcome is asked for first, and gives the same outcome to everybody. A failure is forgotten. */
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
