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
