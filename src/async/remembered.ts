/**
 * A function that computes its outcome once for each argument, which it remembers as long as the argument lives. An outcome that
 * refers to its argument keeps it until all of the heap is collected: V8 looks into such references only then.
 */
export function remembered<Argument extends WeakKey, Outcome>(
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
