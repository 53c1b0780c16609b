/** The shipped sources whose rows name their project in a field of their records; those of the others have a column for it. */
export const projectFields: Readonly<Record<string, string>> = {
  function_edge_logs: 'project_ref',
  function_logs: 'project_ref',
  realtime_logs: 'project',
  storage_logs: 'project',
};
