import { useEffect, useState } from 'preact/hooks';

/** Colours of a canvas, which style sheets don't reach. */
interface Colours {
  readonly text: string;
  readonly grid: string;
  readonly series: readonly string[];
  readonly selection: string;
  /** The colour of a variable of the style sheet. */
  readonly of: (variable: string) => string;
}

const series = 8;

/** The colours of the style sheet, in light or dark. */
export function useColours(): Colours {
  const [colours, setColours] = useState(readColours);
  useEffect(() => {
    const isDark = matchMedia('(prefers-color-scheme: dark)');
    const onChange = () => setColours(readColours());
    isDark.addEventListener('change', onChange);
    return () => isDark.removeEventListener('change', onChange);
  }, []);
  return colours;
}

function readColours(): Colours {
  return {
    text: colourOf('--quiet'),
    grid: colourOf('--line'),
    series: Array.from({ length: series }, (_, index) => colourOf(`--series-${index + 1}`)),
    selection: colourOf('--accent-soft'),
    of: colourOf,
  };
}

function colourOf(variable: string): string {
  // Computed colours of a property are those of the present scheme, which computed variables are not.
  const probe = document.createElement('span');
  probe.style.color = `var(${variable})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
