/** The name of the store's file in its folder. */
export const storeFileName = 'store.duckdb';
