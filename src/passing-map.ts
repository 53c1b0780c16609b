/**
 * A map of what comes and goes all the time. V8's own maps leave their old tables behind, each with a reference to the next one and
 * to what was in it then; once such a table has come to the old space, everything that ever passes through the map follows it
 * there, and lies about until all of the heap is collected. Here a table refers to small boxes, which are emptied when what is in
 * them goes. (Measured: in a flood of callers' queries all of their plans were kept so, 10 MB a second.)
 */
export class PassingMap<Key, Value> {
  readonly #boxes = new Map<Key, { value: Value | undefined }>();

  has(key: Key): boolean {
    return this.#boxes.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#boxes.get(key)?.value;
  }

  set(key: Key, value: Value): this {
    this.delete(key);
    this.#boxes.set(key, { value });
    return this;
  }

  delete(key: Key): boolean {
    const box = this.#boxes.get(key);
    if (box !== undefined) box.value = undefined;
    return this.#boxes.delete(key);
  }

  clear(): void {
    for (const box of this.#boxes.values()) box.value = undefined;
    this.#boxes.clear();
  }

  /** What is there, oldest first. */
  *values(): Generator<Value, void> {
    for (const { value } of this.#boxes.values()) if (value !== undefined) yield value;
  }
}
