/** Texts and results are forgotten when there are so many, or when the texts have so many characters together. */
const max = { texts: 1_000, characters: 1_000_000 };

/**
 * A function of a text that keeps its results. Queries and their rows can give any texts, also long ones, so what is kept has
 * a limit. Failures are not kept.
 *
 * @param maxTexts how many results are kept, if they are large
 */
export function keptByText<Result>(
  make: (text: string) => Result,
  maxTexts = max.texts,
): (text: string) => Result {
  const known = new Map<string, Result>();
  let characters = 0;
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = make(text);
    characters += text.length;
    if (known.size >= maxTexts || characters > max.characters) {
      known.clear();
      characters = text.length;
    }
    if (characters <= max.characters) known.set(text, made);
    else characters = 0;
    return made;
  };
}
