import { windowBytes } from './channel.ts';

/** What one side has sent and the other may not have read yet, for one sender. */
export class Window {
  #unread = 0;
  #isOpen = false;
  #change = Promise.withResolvers<void>();

  /** Counts bytes that were sent. Waits until more may be sent. */
  async sent(bytes: number): Promise<void> {
    this.#unread += bytes;
    while (this.#unread >= windowBytes && !this.#isOpen) {
      this.#change = Promise.withResolvers();
      await this.#change.promise;
    }
  }

  /** Counts bytes that were read. */
  read(bytes: number): void {
    this.#unread -= bytes;
    this.#change.resolve();
  }

  /** Ends all waiting: the call has ended. */
  open(): void {
    this.#isOpen = true;
    this.#change.resolve();
  }
}

/** Tells the sender what was read, not for each few bytes. */
export class Reading {
  readonly #tell: (bytes: number) => void;
  #untold = 0;

  constructor(tell: (bytes: number) => void) {
    this.#tell = tell;
  }

  read(bytes: number): void {
    this.#untold += bytes;
    if (this.#untold < windowBytes / 4) return;
    this.#tell(this.#untold);
    this.#untold = 0;
  }
}
