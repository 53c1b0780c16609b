/** The source of a label's value for an endpoint's jobs. */
export interface LabelRule {
  /** The key, as written in the settings and in the caller's header. */
  readonly key: string;
  /** The value, if it is constant. */
  readonly value?: string;
  /** The parameter that provides the value. Without one, and if it is NULL, the caller's header provides it. */
  readonly parameter?: string;
}

/**
 * Parses the setting `labels`, a comma-separated list of `key` (from the header), `key=@param` and `key=value`. Spaces
 * are significant. An item with two `=` is invalid, and becomes undefined.
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
