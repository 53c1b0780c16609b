/** The API that a request is for; `live` for streams of events, of any API. */
export type ApiName = 'rest' | 'graphql' | 'mcp' | 'live' | 'other';
