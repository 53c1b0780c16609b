/** Where GraphQL is answered, and GraphiQL served. */
export const graphqlPath = '/graphql';
