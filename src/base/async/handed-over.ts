/**
 * The parts that a producer hands over, as an iterable. The producer waits until each part has been used. Its failure is
 * thrown after its last part.
 *
 * @param produce gets a signal that is aborted when the reader leaves early
 * @param whenDone gets the producer's outcome
 */
export async function* handedOver<Part, Outcome>(
  produce: (take: (part: Part) => Promise<void>, left: AbortSignal) => Promise<Outcome>,
  whenDone: (outcome: Outcome) => void,
): AsyncGenerator<Part> {
  const left = new AbortController();
  let part: { readonly value: Part } | undefined;
  let arrived = Promise.withResolvers<void>();
  let used = Promise.withResolvers<void>();
  const take = (value: Part) => {
    left.signal.throwIfAborted();
    part = { value };
    arrived.resolve();
    return used.promise;
  };
  let hasEnded = false;
  const outcome = produce(async (value) => take(value), left.signal).finally(() => {
    hasEnded = true;
    arrived.resolve();
  });
  outcome.catch(() => {});
  try {
    for (;;) {
      await arrived.promise;
      if (part === undefined) break;
      const { value } = part;
      yield value;
      part = undefined;
      if (!hasEnded) arrived = Promise.withResolvers();
      const { resolve } = used;
      used = Promise.withResolvers();
      resolve();
    }
    whenDone(await outcome);
  } finally {
    const reason = new Error('the reader has left');
    left.abort(reason);
    used.promise.catch(() => {});
    used.reject(reason);
    await outcome.catch(() => {});
  }
}
