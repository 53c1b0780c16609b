/** Colours on a light background. They are attributes of the plots; `darkStyle` replaces them on a dark one. */
export const colours = {
  background: '#ffffff',
  /** Texts that matter. */
  ink: '#1f2328',
  /** Axes and further texts. */
  muted: '#59636e',
  /** What the gateway is compared with. */
  other: '#9aa4ae',
  gateway: '#0969da',
  second: '#bc4c00',
  third: '#1a7f37',
  fourth: '#8250df',
} as const;

const onDark: Readonly<Record<keyof typeof colours, string>> = {
  background: '#0d1117',
  ink: '#f0f6fc',
  muted: '#9198a1',
  other: '#6e7781',
  gateway: '#4493f8',
  second: '#f0883e',
  third: '#3fb950',
  fourth: '#ab7df8',
};

/**
 * Replaces the colours where the reader prefers a dark scheme. Plots have a background of their own, so that they are
 * readable even on a page of the other scheme.
 */
export const darkStyle = `@media (prefers-color-scheme: dark) { svg { color: ${onDark.muted} } ${Object.entries(
  colours,
)
  .flatMap(([name, colour]) => {
    const dark = onDark[name as keyof typeof colours];
    return [`[fill="${colour}"] { fill: ${dark} }`, `[stroke="${colour}"] { stroke: ${dark} }`];
  })
  .join(' ')} }`;

export const fontFamily = "system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', sans-serif";
export const fontSize = 12;
