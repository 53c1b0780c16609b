import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Competitor, CompetitorOrder, CompetitorRecord, CompetitorStarted } from './competitor-order.ts';

/** The same schema for all. */
const typeDefs = `
  type Row { id: String!  timestamp: String!  eventMessage: String!  status: String! }
  type Query { logs(project: String!): [Row!]! }
`;

/** What of the packages is used. They are installed elsewhere, so that their types aren't known here. */
interface Packages {
  readonly yoga: {
    createYoga(options: object): RequestListener;
    createSchema(options: object): unknown;
  };
  readonly responseCache: { useResponseCache(options: object): unknown };
  readonly fastify: () => {
    register(plugin: unknown, options: object): unknown;
    listen(options: object): Promise<string>;
  };
  readonly apollo: { readonly ApolloServer: new (options: object) => object };
  readonly standalone: {
    startStandaloneServer(server: object, options: object): Promise<{ readonly url: string }>;
  };
}

interface Resolvers {
  readonly Query: { logs(): readonly CompetitorRecord[] };
}

type Start = (order: CompetitorOrder, resolvers: Resolvers) => Promise<number>;

const starts: Readonly<Record<Competitor, Start>> = {
  bare: ({ body }) => {
    const bytes = Buffer.from(body);
    const head = { 'Content-Type': 'application/json', 'Content-Length': bytes.length };
    return listen((request, response) => {
      request.resume().once('end', () => response.writeHead(200, head).end(bytes));
    });
  },
  yoga: ({ folder }, resolvers) => {
    const { createYoga, createSchema } = load<Packages['yoga']>(folder, 'graphql-yoga');
    return listen(createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false }));
  },
  'yoga-cached': ({ folder }, resolvers) => {
    const { createYoga, createSchema } = load<Packages['yoga']>(folder, 'graphql-yoga');
    const { useResponseCache } = load<Packages['responseCache']>(
      folder,
      '@graphql-yoga/plugin-response-cache',
    );
    const plugins = [useResponseCache({ session: () => null, ttl: 3_600_000 })];
    return listen(createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false, plugins }));
  },
  mercurius: async ({ folder }, resolvers) => {
    const server = load<Packages['fastify']>(folder, 'fastify')();
    server.register(load(folder, 'mercurius'), { schema: typeDefs, resolvers, jit: 1 });
    return portOf(await server.listen({ host: '127.0.0.1', port: 0 }));
  },
  apollo: async ({ folder }, resolvers) => {
    const { ApolloServer } = load<Packages['apollo']>(folder, '@apollo/server');
    const { startStandaloneServer } = load<Packages['standalone']>(folder, '@apollo/server/standalone');
    const server = new ApolloServer({ typeDefs, resolvers });
    const { url } = await startStandaloneServer(server, { listen: { host: '127.0.0.1', port: 0 } });
    return portOf(url);
  },
};

const packagesOf: Readonly<Record<Competitor, readonly string[]>> = {
  bare: [],
  yoga: ['graphql-yoga', 'graphql'],
  'yoga-cached': ['@graphql-yoga/plugin-response-cache', 'graphql-yoga', 'graphql'],
  mercurius: ['mercurius', 'fastify', 'graphql'],
  apollo: ['@apollo/server', 'graphql'],
};

/**
 * Starts the server of an order in this process.
 *
 * @param onCall is called whenever a resolver gives rows
 */
export async function startCompetitor(
  order: CompetitorOrder,
  onCall: () => void,
): Promise<CompetitorStarted> {
  const logs = () => {
    onCall();
    return order.records;
  };
  const port = await starts[order.competitor](order, { Query: { logs } });
  const versions = packagesOf[order.competitor].map((name) => [name, versionOf(order.folder, name)]);
  return { port, versions: Object.fromEntries(versions) };
}

/** A package of the folder. They are all loaded as CommonJS: graphql must be there once only. */
function load<T>(folder: string, name: string): T {
  return createRequire(join(folder, 'package.json'))(name);
}

function versionOf(folder: string, name: string): string {
  const file = join(folder, 'node_modules', name, 'package.json');
  const { version }: { readonly version: string } = createRequire(file)(file);
  return version;
}

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
