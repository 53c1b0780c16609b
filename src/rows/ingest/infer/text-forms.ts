/** Texts that often stand for none. */
const marker = /^(?:null|na|n\/a|#n\/a|nan|none|nil|\\n|-|\?)$/i;

/** Forms of texts that mean something else than a text, but can't be read with certainty. */
const forms: readonly (readonly [form: RegExp, meaning: string])[] = [
  [/^\d{1,2}\/\d{1,2}\/\d{2,4}(?:[ ,].*)?$/, 'dates with two meanings, day or month first'],
  [/^\d{1,2}\.\d{1,2}\.\d{4}(?:[ ,].*)?$/, 'dates of a form that import does not read'],
  [/^-?(?:\d{1,3}(?:[. ]\d{3})+|\d+),\d+$/, 'numbers with a decimal comma'],
];

const shownLength = 40;

/** Notices why a field has texts although its values mean something else. */
export class TextForms {
  readonly #markers = new Map<string, number>();
  #form: readonly [form: RegExp, meaning: string] | undefined;
  #example = '';
  #ofForm = 0;

  add(text: string): void {
    if (text.length <= 4 && marker.test(text)) {
      this.#markers.set(text, (this.#markers.get(text) ?? 0) + 1);
      return;
    }
    if (this.#form === undefined && this.#example === '') {
      this.#form = forms.find(([form]) => form.test(text));
      this.#example = text.slice(0, shownLength);
    }
    if (this.#form?.[0].test(text) === true) this.#ofForm += 1;
  }

  /**
   * What the texts mean, it seems, as a sentence in lower case. Undefined if they are just texts.
   *
   * @param count of all values of the field
   */
  fact(count: number): string | undefined {
    const absent = [...this.#markers.values()].reduce((sum, each) => sum + each, 0);
    const names = [...this.#markers.keys()].map((name) => JSON.stringify(name)).join(' and ');
    const means = absent === 0 ? '' : `; ${names} may mean that there is no value`;
    if (this.#form !== undefined && this.#ofForm + absent === count)
      return `${this.#form[1]}, it seems, such as ${JSON.stringify(this.#example)}: they stay texts${means}.`;
    return absent === 0 || absent === count
      ? undefined
      : `some values are ${names}, which may mean that there is none.`;
  }
}
