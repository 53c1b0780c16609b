/** The characters of a text as numbers. */
export function codePoints(value: string): Uint32Array {
  const points = new Uint32Array(value.length);
  let count = 0;
  for (const character of value) points[count++] = character.codePointAt(0) ?? 0;
  return points.subarray(0, count);
}

/**
 * Finds all matches, including overlapping ones, in time linear in both lengths: the algorithm of Knuth, Morris and
 * Pratt. V8's search takes the product of the lengths for texts such as `aaaa`, without interruption.
 */
export function placesOf(searched: Uint32Array, characters: Uint32Array): number[] {
  // For each number of matched characters, how many remain matched if the next one differs.
  const shorter = new Uint32Array(searched.length + 1);
  const extended = (fitting: number, character: number | undefined) => {
    let count = fitting;
    while (count > 0 && searched[count] !== character) count = shorter[count] ?? 0;
    return searched[count] === character ? count + 1 : count;
  };
  for (let end = 1; end < searched.length; end++) {
    shorter[end + 1] = extended(shorter[end] ?? 0, searched[end]);
  }
  const places = searched.length === 0 ? [0] : [];
  let fitting = 0;
  for (let end = 1; end <= characters.length; end++) {
    if (searched.length > 0) fitting = extended(fitting, characters[end - 1]);
    if (fitting === searched.length) places.push(end - searched.length);
  }
  return places;
}
