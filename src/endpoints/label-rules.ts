/** Where an endpoint's jobs get a label from. Contract, section (h). */
export interface LabelRule {
  /** As it is written in the settings, and as a caller's header has to write it. */
  readonly key: string;
  /** The value, where it is always the same. */
  readonly value?: string;
  /** The parameter whose value it is; without one, and where that is NULL, the caller's header gives it. */
  readonly parameter?: string;
}

/**
 * Reads the setting `labels`, a comma list of `key` (from the header), `key=@param` and `key=value`. Spaces count. An item
 * with two `=` is a mistake, and undefined is given in its place.
 */
export function readLabelRules(text: string): (LabelRule | undefined)[] {
  return text
    .split(',')
    .filter((item) => item !== '')
    .map((item) => {
      const [key = '', value, ...more] = item.split('=');
      if (more.length > 0) return undefined;
      if (value === undefined) return { key };
      return value.startsWith('@') ? { key, parameter: value.slice(1) } : { key, value };
    });
}
