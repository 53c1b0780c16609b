/** The memory of a list element. Texts of more than a few characters are shared with their origin. */
export const entryBytes = 16;

/** The memory of a text `s` split into a list of characters and joined again, in SQL. */
export const characterBytes = `strlen(s) * ${entryBytes + 2}`;
