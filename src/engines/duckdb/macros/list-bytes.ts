/** What a list takes for each of its texts: those longer than a few characters are shared with what they come from. */
export const entryBytes = 16;

/** What the characters of a text `s` take as a list, and as a text again, in SQL. */
export const characterBytes = `strlen(s) * ${entryBytes + 2}`;
