import { authorise } from '../../access/authorise.ts';
import { coerceParameters } from '../../endpoints/parameters/coerce.ts';
import { GatewayError } from '../../errors.ts';
import type { Value } from '../../sql/value.ts';
import type { GraphqlContext } from '../context.ts';
import type { ArgumentShape, EndpointShape } from '../shape/shape.ts';
import type { Builder } from './build-schema.ts';

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
        const description = [parameter.name, parameter.description].filter(Boolean).join(': ');
        const type = (this.#enums.get(argument) ?? argument.type) as 'String';
        return [argument.name, arg({ type, required: parameter.required, description })];
      }),
    );
    return { ...parameters, [redactArgument]: arg({ type: 'Boolean' as 'String', description: described }) };
  }

  asksForRedaction(given: Readonly<Record<string, unknown>>): boolean {
    return given[redactArgument] === true;
  }

  /**
   * The parameter values of a call, after checking them against the caller's key.
   *
   * @throws GatewayError BAD_USER_INPUT, FORBIDDEN
   */
  parameters(
    given: Readonly<Record<string, unknown>>,
    { keyHolder }: Pick<GraphqlContext, 'keyHolder'>,
  ): Map<string, Value> {
    const { endpoint } = this.#shape;
    return coerceParameters(endpoint, authorise(keyHolder, endpoint, this.#texts(given)));
  }

  /**
   * The arguments as the texts that parameters are parsed from.
   *
   * @throws GatewayError BAD_USER_INPUT for literals such as 1e400, which graphql-js reads as infinity
   */
  #texts(given: Readonly<Record<string, unknown>>): Map<string, string | null> {
    return new Map(
      this.#shape.arguments.map(({ name, parameter }) => {
        const value = given[name];
        if (value === Infinity || value === -Infinity) {
          const message = `Argument "${name}": the number is out of the range of Float.`;
          throw new GatewayError('BAD_USER_INPUT', message, { parameter: parameter.name });
        }
        return [parameter.name, value === undefined || value === null ? null : String(value)];
      }),
    );
  }
}
