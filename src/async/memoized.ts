/**
 * A function that computes its outcome once for each argument, and keeps it as long as the argument lives. An outcome that refers to
 * its argument keeps it alive until V8 collects the whole heap.
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
