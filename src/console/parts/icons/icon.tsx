import { Copy, Moon, Plus, RotateCcw, Undo2, X } from 'lucide';
import { h } from 'preact';

/** The icons of the console, from Lucide: what stands for what. */
const icons = { add: Plus, close: X, copy: Copy, reopen: RotateCcw, scheme: Moon, undo: Undo2 } as const;

export type IconName = keyof typeof icons;

export const iconNames = Object.keys(icons) as readonly IconName[];

/** An icon, as large as the text around it. The button around it has a name. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {icons[name].map(([element, attributes], index) => h(element, { key: index, ...attributes }))}
    </svg>
  );
}
