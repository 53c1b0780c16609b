import { bashScript } from './scripts/bash.ts';
import { fishScript } from './scripts/fish.ts';
import { zshScript } from './scripts/zsh.ts';
import type { Shell } from './shells.ts';

const scripts: Readonly<Record<Shell, string>> = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** The script that a shell loads. */
export function scriptOf(shell: Shell): string {
  return scripts[shell];
}
