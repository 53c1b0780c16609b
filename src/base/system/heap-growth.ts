import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect garbage when the heap has grown by so many percent since the last time. By default, a heap of 80 MB grows
 * to 360 MB first, which is a tenth faster (measured).
 */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
