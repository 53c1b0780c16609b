import type { Command } from 'commander';
import { visibleText } from '../../base/terminal/visible-text.ts';
import { type Candidate, candidates, type Names } from './candidates.ts';
import type { Shell } from './script-of.ts';

/**
 * What a shell's script gets, a line for each candidate.
 *
 * @param words those after the program's name, without quotes; for bash, one text with the line up to the cursor
 */
export async function complete(
  program: Command,
  shell: Shell,
  words: readonly string[],
  names: Names,
): Promise<string> {
  if (shell !== 'bash') {
    const found = await candidates(program, words, names);
    return found.map((each) => `${shell === 'zsh' ? forZsh(each) : forFish(each)}\n`).join('');
  }
  const [, ...typed] = splitLine(words.join(' '));
  const found = await candidates(program, typed, names);
  // Bash replaces only what follows the last of these characters.
  const kept = /^.*[=:]/s.exec(typed.at(-1) ?? '')?.[0].length ?? 0;
  return found.map(({ text }) => `${escaped(text.slice(kept))}\n`).join('');
}

function escaped(text: string): string {
  return text.replace(/[^\w@%+=:,./-]/g, '\\$&');
}

function forZsh({ text, meaning = '' }: Candidate): string {
  const name = text.replace(/[\\:]/g, '\\$&');
  return meaning === '' ? name : `${name}:${oneLine(meaning)}`;
}

function forFish({ text, meaning = '' }: Candidate): string {
  return meaning === '' ? text : `${text}\t${oneLine(meaning)}`;
}

function oneLine(text: string): string {
  return visibleText(text.replace(/\s+/g, ' ')).slice(0, 100);
}

/**
 * The words of a line that is being typed in a shell, without their quotes. The last word is the one at the cursor: empty
 * after a space.
 */
export function splitLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === quote) quote = '';
    else if (quote === "'") word += character;
    else if (character === '\\') {
      at += 1;
      word = (word ?? '') + line.charAt(at);
    } else if (quote === '"') word += character;
    else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  return [...words, word ?? ''];
}
