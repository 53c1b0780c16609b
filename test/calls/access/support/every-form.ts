import {
  buildClientSchema,
  type GraphQLArgument,
  type GraphQLField,
  getIntrospectionQuery,
  getNamedType,
  isEnumType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { formatNames } from '../../../../src/rows/formats/format.ts';
import { endpointNames, json, type Sent, unboundTables } from './two-tenants.ts';

/** A request in one of the forms that the gateway takes. */
export interface Form {
  readonly name: string;
  readonly path: string;
  readonly sent: Sent;
  /** What tells that it was refused, for protocols that refuse with status 200. */
  readonly refusal?: RegExp;
}

/** Sends as the owner. */
type Ask = (path: string, sent?: Sent) => Promise<{ readonly body: string }>;

const events = { accept: 'text/event-stream' };
const readAllOf = (table: string) => `SELECT id, event_message FROM ${table}`;
/** For each table with rows of others. */
const queries = unboundTables.flatMap((table) => [{ sql: readAllOf(table) }, { lql: `f:${table}` }]);

/** What a request of an endpoint can ask for, besides its parameters. */
const asked: readonly Readonly<Record<string, string>>[] = [
  {},
  ...queries,
  { sql: `WITH x AS (${readAllOf('everything')}) SELECT x.* FROM x, mine` },
  ...unboundTables.map((tail) => ({ tail })),
  { tail: 'everything', lql: 'm.event_message:~secret' },
  { filter: '{"event_message":{"contains":"secret"}}', order: '-id' },
];

/** All forms of calling endpoints over a REST route. */
export function restForms(route: string): Form[] {
  const forms: Form[] = [];
  for (const endpoint of endpointNames) {
    const path = route.replace('{endpoint}', endpoint).replace('{version}', '1');
    for (const each of asked) {
      const values = { project: 'a', ...each };
      const query = new URLSearchParams(values).toString();
      const label = JSON.stringify({ path, ...each });
      const headers = each.tail === undefined ? {} : events;
      const add = (name: string, form: Omit<Form, 'name'>) =>
        forms.push({ name: `${name} ${label}`, ...form });
      const post = (type: string, body: string) => ({
        path,
        sent: { method: 'POST', headers: { ...headers, 'content-type': type }, body },
      });
      add('GET', { path: `${path}?${query}`, sent: { headers } });
      add('GET as events', { path: `${path}?${query}&live=5`, sent: { headers: events } });
      add('GET with a body', {
        path: `${path}?project=a`,
        sent: post('application/json', JSON.stringify(each)).sent,
      });
      add('POST of JSON', post('application/json', JSON.stringify(values)));
      add('POST of a form', post('application/x-www-form-urlencoded', query));
      add('POST as events', {
        ...{ path, sent: { ...post('application/json', JSON.stringify(values)).sent } },
        ...{ sent: { method: 'POST', headers: { ...json, ...events }, body: JSON.stringify(values) } },
      });
      add('estimate', { path: `${path}?${query}&dry_run=true`, sent: { headers } });
      if (each.tail !== undefined) continue;
      for (const format of formatNames) add(format, { path: `${path}?${query}&format=${format}`, sent: {} });
    }
  }
  return forms;
}

/** All fields of the schema, in all forms of GraphQL over HTTP. */
export async function graphqlForms(path: string, ask: Ask): Promise<Form[]> {
  const body = JSON.stringify({ query: getIntrospectionQuery() });
  const answer = await ask(path, { method: 'POST', headers: json, body });
  const schema = buildClientSchema(JSON.parse(answer.body).data);
  const types = { query: schema.getQueryType(), subscription: schema.getSubscriptionType() };
  const forms: Form[] = [];
  for (const [kind, type] of Object.entries(types)) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      for (const selection of selectionsOf(field, 4)) {
        const query = `${kind} { ${selection} }`;
        const post = (headers: Sent['headers'], content: unknown): Omit<Form, 'name'> => ({
          ...{ path, refusal: /"code":"(?:FORBIDDEN|GRAPHQL_VALIDATION_FAILED)"/ },
          sent: { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(content) },
        });
        forms.push({ name: `POST ${query}`, ...post({}, { query }) });
        forms.push({ name: `events ${query}`, ...post(events, { query }) });
        forms.push({ name: `batch ${query}`, ...post({}, [{ query }, { query }]) });
        forms.push({
          ...{ name: `GET ${query}`, path: `${path}?query=${encodeURIComponent(query)}` },
          ...{
            sent: { headers: { accept: 'application/json' } },
            refusal: /"code":"(?:FORBIDDEN|GRAPHQL_VALIDATION_FAILED)"/,
          },
        });
      }
    }
  }
  return forms;
}

/** A field with its arguments and its leaves; several times if fields below it are calls of their own. */
function selectionsOf(field: GraphQLField<unknown, unknown>, depth: number): string[] {
  const type = getNamedType(field.type);
  const forms = argumentsOf(field.args).map((args) => field.name + args);
  if (!isObjectType(type)) return forms;
  if (depth === 0) return [];
  const fields = Object.values(type.getFields());
  const leaves = fields.filter((each) => !isObjectType(getNamedType(each.type)) && each.args.length === 0);
  const selections = fields
    .filter((each) => !leaves.includes(each))
    .flatMap((each) => selectionsOf(each, depth - 1));
  if (leaves.length > 0) selections.push(leaves.map((leaf) => leaf.name).join(' '));
  return forms.flatMap((form) => selections.map((selection) => `${form} { ${selection} }`));
}

/** The arguments of a field, in each of the ways to ask it for all rows. */
function argumentsOf(args: readonly GraphQLArgument[]): string[] {
  const given = args.flatMap((arg) => {
    if (arg.name === 'project') return ['project: "a"'];
    const type = getNamedType(arg.type);
    if (!isNonNullType(arg.type) || arg.defaultValue !== undefined || arg.default !== undefined) return [];
    return [
      `${arg.name}: ${isEnumType(type) ? type.getValues()[0]?.name : type.name === 'String' ? '"k.logs"' : 5}`,
    ];
  });
  const names = new Set(args.map(({ name }) => name));
  const others = names.has('sql')
    ? queries.flatMap((query) =>
        Object.entries(query).map(([key, text]) => `${key}: ${JSON.stringify(text)}`),
      )
    : names.has('lql')
      ? ['', 'lql: "m.event_message:~secret"']
      : [''];
  const filters = names.has('where')
    ? ['where: {eventMessage: {contains: "secret"}}, orderBy: [{field: ID}]']
    : [];
  return [...others, ...filters].map((other) => {
    const all = [...given, other].filter(Boolean);
    return all.length === 0 ? '' : `(${all.join(', ')})`;
  });
}

/** All tools and resources, alone and in a batch. */
export async function mcpForms(path: string, ask: Ask): Promise<Form[]> {
  const headers = { ...json, accept: 'application/json, text/event-stream' };
  const message = (method: string, params: object, id = 1) => ({ jsonrpc: '2.0', id, method, params });
  const listed = async (method: string) =>
    JSON.parse((await ask(path, { method: 'POST', headers, body: JSON.stringify(message(method, {})) })).body)
      .result;
  const { tools } = await listed('tools/list');
  const { resources } = await listed('resources/list');
  const forms: Form[] = [];
  const add = (name: string, method: string, params: object) => {
    const refusal = /FORBIDDEN|no tool|no resource|may not call|does not depend on|doesn't have/;
    const post = (content: unknown): Sent => ({ method: 'POST', headers, body: JSON.stringify(content) });
    forms.push({ name, path, sent: post(message(method, params)), refusal });
    const batch = [message(method, params), message(method, params, 2)];
    forms.push({ name: `batch of ${name}`, path, sent: post(batch), refusal });
  };
  for (const { name, inputSchema } of tools) {
    const project = 'project' in inputSchema.properties ? { project: 'a' } : {};
    const filters = [{}, { filter: { event_message: { contains: 'secret' } }, order: '-id' }];
    const alone = 'filter' in inputSchema.properties ? filters : [{}];
    for (const query of 'sql' in inputSchema.properties ? queries : alone) {
      add(`${name} ${JSON.stringify(query)}`, 'tools/call', { name, arguments: { ...project, ...query } });
    }
  }
  for (const { uri } of resources) add(uri, 'resources/read', { uri });
  return forms;
}
