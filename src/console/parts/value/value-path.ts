/** From a value to one within it: names of members, and positions in lists. */
export type ValuePath = readonly (string | number)[];
