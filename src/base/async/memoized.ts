/**
 * Memoizes a function by its argument, as long as the argument lives. An outcome that refers to its argument keeps it
 * alive until a full garbage collection.
 */
export function memoized<Argument extends WeakKey, Outcome>(
  compute: (argument: Argument) => Outcome,
): (argument: Argument) => Outcome {
  const outcomes = new WeakMap<Argument, Outcome>();
  return (argument) => {
    let outcome = outcomes.get(argument);
    if (outcome === undefined) {
      outcome = compute(argument);
      outcomes.set(argument, outcome);
    }
    return outcome;
  };
}

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
