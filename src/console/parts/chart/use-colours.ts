import { useEffect, useState } from 'preact/hooks';

/** Colours of a canvas, which style sheets don't reach. */
interface Colours {
  readonly text: string;
  readonly grid: string;
  readonly series: readonly string[];
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
  // Computed colours of a property are those of the present scheme, which computed variables are not.
  const probe = document.createElement('span');
  document.body.append(probe);
  const read = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    text: read('--quiet'),
    grid: read('--line'),
    series: Array.from({ length: series }, (_, index) => read(`--series-${index + 1}`)),
  };
  probe.remove();
  return colours;
}
