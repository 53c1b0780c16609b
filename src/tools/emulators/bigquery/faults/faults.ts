import type { ReceivedRequest } from '../wire/request.ts';
import { type Fault, type FaultInput, faultSchema } from './fault.ts';

interface Planned {
  readonly fault: Fault;
  readonly path: RegExp | undefined;
  seen: number;
}

/** The injected faults of a server. */
export class Faults {
  readonly #planned: Planned[] = [];

  /** @throws ZodError when it is malformed, SyntaxError when its path is not a regular expression */
  add(input: FaultInput): void {
    const fault = faultSchema.parse(input);
    const path = fault.path === undefined ? undefined : new RegExp(fault.path);
    this.#planned.push({ fault, path, seen: 0 });
  }

  clear(): void {
    this.#planned.length = 0;
  }

  /** Returns and counts down the first fault that applies to a request. */
  take({ method, path }: Pick<ReceivedRequest, 'method' | 'path'>): Fault | undefined {
    let taken: Fault | undefined;
    for (const planned of this.#planned) {
      const { fault } = planned;
      if (fault.method !== undefined && fault.method !== method) continue;
      if (planned.path !== undefined && !planned.path.test(path)) continue;
      const turn = planned.seen++ - fault.skip;
      if (turn >= 0 && (fault.times === 0 || turn < fault.times)) taken ??= fault;
    }
    return taken;
  }
}
