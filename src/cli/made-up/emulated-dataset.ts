/** Where the emulator of BigQuery has the made-up rows. */
export const emulatedDataset = { projectId: 'demo-project', datasetId: 'logs' } as const;
