/** The values of `JsonStyle.timestamps`, the default first. */
export const timestampChoices = ['micros', 'iso'] as const;

/** The values of `JsonStyle.json`, the default first. */
export const jsonChoices = ['text', 'inline'] as const;

/** How JSON contains values that have more than one usual form. */
export interface JsonStyle {
  /** TIMESTAMPs as microseconds since the epoch, or as RFC 3339 texts in UTC. */
  readonly timestamps: (typeof timestampChoices)[number];
  /** JSON columns as a string with their JSON text, or as the JSON itself. */
  readonly json: (typeof jsonChoices)[number];
  /** Infinities and NaN as the texts that `gateway import` reads; otherwise they are null. */
  readonly nonFinite?: 'text';
}

const styles: readonly JsonStyle[] = [
  { timestamps: 'micros', json: 'text' },
  { timestamps: 'micros', json: 'inline' },
  { timestamps: 'iso', json: 'text' },
  { timestamps: 'iso', json: 'inline' },
];

/** The style of an answer that asks for nothing else. */
export const plainStyle = jsonStyle({});

/** The style with these parts: the same object for the same parts. */
export function jsonStyle({
  timestamps = 'micros',
  json = 'text',
}: Partial<Omit<JsonStyle, 'nonFinite'>>): JsonStyle {
  const style = styles.find((each) => each.timestamps === timestamps && each.json === json);
  if (style === undefined) throw new TypeError('there is no such style');
  return style;
}
