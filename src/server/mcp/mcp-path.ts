/** The path of the Model Context Protocol. */
export const mcpPath = '/mcp';
