import type { Row } from '../../sql/values/value.ts';
import type { AuthorisedCall } from '../call/authorised-call.ts';
import { type KeyedRow, rowId } from './sent-rows.ts';
import { cursorText } from './tail-cursor.ts';
import type { TailPlace } from './tail-progress.ts';

interface TailClientParts {
  readonly call: AuthorisedCall;
  /** Ids of rows that the client has, and that the tail may send. */
  readonly own: readonly string[];
}

/** What sets a client apart from others that watch the same tail: rows that it has from another run of the tail. */
export class TailClient {
  readonly #parts: TailClientParts;
  readonly #own: Set<string>;

  constructor(parts: TailClientParts) {
    this.#parts = parts;
    this.#own = new Set(parts.own);
  }

  /** Whether it gets the same as others. */
  get isLikeOthers(): boolean {
    return this.#own.size === 0;
  }

  /** The rows that it doesn't have. Each of the others won't come again. */
  without(rows: readonly KeyedRow[]): readonly Row[] {
    const missed = this.isLikeOthers ? rows : rows.filter(({ key }) => !this.#own.delete(rowId(key)));
    return missed.map(({ row }) => row);
  }

  /** A place from which it goes on. */
  cursor(place: TailPlace): string {
    // Ids are made of whole rows: from them, a text that is hidden could be guessed.
    const isTold = this.#parts.call.hidden.length === 0;
    return cursorText({ ...place, own: [...this.#own], sent: isTold ? place.sent : undefined });
  }
}
