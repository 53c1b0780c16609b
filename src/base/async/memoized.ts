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
