/** The path of the GraphQL API and of GraphiQL. */
export const graphqlPath = '/graphql';
