/** A text that makes the thread of `ending-thread.ts` hang. */
export const hangOfThread = 'select the hang of the thread';

/** A text that ends the thread of `ending-thread.ts`. */
export const endOfThread = 'select the end of the thread';
