/** What a function in JavaScript throws for a value that it doesn't take, in the words of BigQuery. */
export class Failure extends Error {}
