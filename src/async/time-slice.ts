import { setImmediate } from 'node:timers/promises';

/** How long work may go on before others get a turn of the event loop, in milliseconds. */
const lengthMs = 1;

/** A turn of the event loop, for work that may take long: whenever it `isOver`, `next` lets everybody else go on first. */
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
