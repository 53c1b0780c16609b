import type { KeyOptions } from '../../calls/access/key/key-options.ts';

/** The option of the command line for a property of a key, such as `--bytes-per-day`. */
export function optionName(option: keyof KeyOptions): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
