import { useEffect, useState } from 'preact/hooks';

/** Colours of a canvas, which style sheets don't reach. */
export interface Colours {
  readonly text: string;
  readonly quiet: string;
  readonly grid: string;
  readonly surface: string;
  readonly series: readonly string[];
  readonly selection: string;
  /** Whether the system has chosen all colours: series have none of their own then. */
  readonly isForced: boolean;
  /** The colour of a variable of the style sheet. */
  readonly of: (variable: string) => string;
}

const series = 8;
const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'];

/** The colours of the style sheet in light or dark, or those that the system forces. */
export function useColours(): Colours {
  const [colours, setColours] = useState(readColours);
  useEffect(() => {
    const media = queries.map((query) => matchMedia(query));
    const onChange = () => setColours(readColours());
    for (const one of media) one.addEventListener('change', onChange);
    return () => {
      for (const one of media) one.removeEventListener('change', onChange);
    };
  }, []);
  return colours;
}

function readColours(): Colours {
  const of = (variable: string) => colourOf(`var(${variable})`);
  if (matchMedia('(forced-colors: active)').matches) {
    const text = colourOf('CanvasText');
    return {
      ...{ text, quiet: text, grid: colourOf('GrayText'), surface: colourOf('Canvas'), series: [text] },
      ...{ selection: colourOf('GrayText'), isForced: true, of },
    };
  }
  return {
    text: of('--text'),
    quiet: of('--quiet'),
    grid: of('--line'),
    surface: of('--surface'),
    series: Array.from({ length: series }, (_, index) => of(`--series-${index + 1}`)),
    selection: of('--accent-soft'),
    isForced: false,
    of,
  };
}

function colourOf(colour: string): string {
  // Computed colours of a property are those of the present scheme, which computed variables are not.
  const probe = document.createElement('span');
  probe.style.color = colour;
  probe.style.setProperty('forced-color-adjust', 'none');
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
