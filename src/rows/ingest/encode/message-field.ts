import type { Source } from '../../../definitions/sources/source.ts';
import { keyOf, type MutableObject } from './field-path.ts';
import { jsonText } from './json-text.ts';

const names = ['message', 'msg'];

/** Puts the message of arriving rows into `event_message`, if their source has it. */
export class MessageField {
  readonly #columns: ReadonlySet<string>;
  readonly #hasMessage: boolean;

  constructor({ columns, unknownFields }: Pick<Source, 'columns' | 'unknownFields'>) {
    this.#columns = new Set(columns.map((column) => column.name.toLowerCase()));
    const message = columns.find((column) => column.name.toLowerCase() === 'event_message');
    this.#hasMessage = message === undefined ? unknownFields === 'add' : message.type.kind === 'STRING';
  }

  /**
   * Changes a row. A field that is no column is no field of the row then.
   *
   * @throws DigitsNeeded for a message with numbers without their digits
   */
  take(row: MutableObject): void {
    if (!this.#hasMessage) return;
    const key = keyOf(row, 'event_message') ?? 'event_message';
    let message = row[key];
    for (const name of names) {
      const other = keyOf(row, name);
      if (other === undefined || row[other] === undefined || row[other] === null) continue;
      if (message !== null && message !== undefined && message !== row[other]) continue;
      message = row[other];
      if (!this.#columns.has(other.toLowerCase())) row[other] = undefined;
    }
    if (message === null || message === undefined) return;
    row[key] = typeof message === 'string' ? message : jsonText(message);
  }
}
