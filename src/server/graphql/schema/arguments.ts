import { type GraphQLResolveInfo, Kind } from 'graphql';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { Reads } from '../../../calls/call/authorised-call.ts';
import { Call } from '../../../calls/call.ts';
import { describeRules } from '../../../definitions/endpoints/parameters/describe-parameter.ts';
import type { EndpointParameter } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import {
  type GivenParameters,
  textsIn,
  typeOfTexts,
} from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { textsToGive } from '../../../definitions/endpoints/parameters/read-given.ts';
import type { GraphqlContext } from '../execution/context.ts';
import type { ArgumentShape, EndpointShape } from '../shape/shape.ts';
import type { Builder } from './builder.ts';

/** The argument by which a field, like a request by its header, asks for redaction. */
export const redactArgument = 'redactPii';

/** Pothos's builder of arguments. */
export type ArgumentBuilder = Parameters<Parameters<Builder['queryField']>[1]>[0]['arg'];

/** The arguments of an endpoint's fields. */
export class Arguments {
  readonly #builder: Builder;
  readonly #shape: EndpointShape;
  readonly #enums = new Map<ArgumentShape, ReturnType<Builder['enumType']>>();

  constructor(builder: Builder, shape: EndpointShape) {
    this.#builder = builder;
    this.#shape = shape;
    for (const argument of shape.arguments) {
      if (typeof argument.type === 'string') continue;
      const { name, description, members } = argument.type;
      const values = Object.fromEntries(
        members.map((member) => [member.name, { value: member.value, description: member.value }]),
      );
      this.#enums.set(argument, this.#builder.enumType(name, { description, values }));
    }
  }

  definition(arg: ArgumentBuilder) {
    const described = 'Whether to redact IP addresses. What the endpoint redacts is always redacted.';
    const parameters = Object.fromEntries(
      this.#shape.arguments.map((argument) => {
        const { parameter } = argument;
        const item = (this.#enums.get(argument) ?? argument.type) as 'String';
        const description = descriptionOf(parameter);
        const defaultValue = defaultInput(argument) as string | undefined;
        if (parameter.type.kind !== 'ARRAY') {
          return [
            argument.name,
            arg({ type: item, required: parameter.required, description, defaultValue }),
          ];
        }
        const required = { list: parameter.required, items: argument.type !== 'JSON' };
        const list = { type: [item], required, description, defaultValue };
        return [argument.name, arg(list as unknown as { type: 'String' })];
      }),
    );
    return { ...parameters, [redactArgument]: arg({ type: 'Boolean' as 'String', description: described }) };
  }

  /**
   * The call with these arguments.
   *
   * @throws GatewayError BAD_USER_INPUT, FORBIDDEN
   */
  call(
    given: Readonly<Record<string, unknown>>,
    { calls, keyHolder: caller, payer, redactPii, logFields, making }: GraphqlContext,
    info: GraphQLResolveInfo,
    reads?: () => Reads | undefined,
  ): Call {
    const { endpoint } = this.#shape;
    const asksForRedaction = redactPii || given[redactArgument] === true;
    const hold = making.hold.bind(making);
    const texts = this.#texts(given, info);
    return Call.authorise(
      { caller, payer, endpoint, given: texts, reads, asksForRedaction, logFields, hold },
      calls,
    );
  }

  /**
   * The arguments as the texts that parameters are parsed from. Defaults that graphql-js has filled in are left out: an
   * absent parameter that is bound by the caller's key has the value of the key.
   *
   * @throws GatewayError BAD_USER_INPUT for literals such as 1e400, which graphql-js reads as infinity
   */
  #texts(given: Readonly<Record<string, unknown>>, info: GraphQLResolveInfo): GivenParameters {
    return new Map(
      this.#shape.arguments
        .filter(({ name }) => isGiven(name, info))
        .map((argument) => {
          const value = given[argument.name] ?? null;
          const texts = Array.isArray(value)
            ? value.map((item, index) => textOf(argument, item, `, element ${index + 1}`) ?? 'null')
            : textOf(argument, value);
          return [argument.parameter.name, texts];
        }),
    );
  }
}

function textOf({ name, parameter }: ArgumentShape, value: unknown, place = ''): string | null {
  if (value === Infinity || value === -Infinity) {
    const message = `Argument "${name}"${place}: the number is out of the range of Float.`;
    throw new GatewayError('BAD_USER_INPUT', message, { parameter: parameter.name });
  }
  return value === undefined || value === null ? null : String(value);
}

/** Whether the operation gives the argument, as a literal or by a variable that has a value. */
function isGiven(argument: string, { fieldNodes, variableValues }: GraphQLResolveInfo): boolean {
  const value = fieldNodes[0]?.arguments?.find(({ name }) => name.value === argument)?.value;
  if (value?.kind !== Kind.VARIABLE) return value !== undefined;
  return Object.hasOwn(variableValues.coerced, value.name.value);
}

function descriptionOf(parameter: EndpointParameter): string {
  const rules = describeRules(parameter);
  const { type, default: used } = parameter;
  if (used !== undefined && typeOfTexts(type).kind === 'JSON') {
    rules.push(`default ${textsToGive(parameter, used).join()}`);
  }
  const described = [parameter.name, parameter.description].filter(Boolean).join(': ');
  return rules.length === 0 ? described : `${described} (${rules.join('; ')})`;
}

/** The default in the form that graphql-js has after parsing. Undefined if there is none, or none in GraphQL's syntax. */
function defaultInput({ parameter, type }: ArgumentShape): unknown {
  const { default: used } = parameter;
  if (used === undefined || type === 'JSON') return undefined;
  const inputs = textsIn(used).map((text) => {
    if (type === 'Boolean') return text.toLowerCase() === 'true';
    return type === 'Float' ? Number(text) : text;
  });
  if (type === 'Float' && !inputs.every(Number.isFinite)) return undefined;
  return typeof used === 'string' ? inputs[0] : inputs;
}
