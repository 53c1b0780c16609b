/** A function that computes its outcome once for each argument, which it remembers as long as the argument lives. */
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
