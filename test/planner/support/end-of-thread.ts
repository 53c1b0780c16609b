/** A text that ends the thread of `ending-thread.ts`. */
export const endOfThread = 'select the end of the thread';
