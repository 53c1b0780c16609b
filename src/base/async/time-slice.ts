import { setImmediate } from 'node:timers/promises';

/** How long work may occupy the event loop, in milliseconds. */
const lengthMs = 1;

/** Divides long work: whenever the slice `isOver`, `yield` lets the event loop process other work. */
export class TimeSlice {
  #began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#began >= lengthMs;
  }

  async yield(): Promise<void> {
    await setImmediate();
    this.#began = performance.now();
  }
}
