import { GatewayError } from '../../base/errors/errors.ts';
import type { Problem } from '../../base/errors/problem.ts';
import type { Value } from '../../sql/values/value.ts';
import { declaredParameters } from './declared-parameters.ts';
import { coerceParameters } from './parameters/coerce.ts';
import type { EndpointParameter, GivenValue } from './parameters/endpoint-parameter.ts';
import { givenAsTexts, notOneText } from './parameters/read-given.ts';
import type { SettingsComment } from './settings-comment.ts';

export interface WarmSets {
  readonly sets: readonly ReadonlyMap<string, Value>[];
  readonly problems: readonly Problem[];
}

/** Parses the sets of parameters in `warm` like those of callers, except that undeclared ones are errors. */
export function readWarmSets(file: string, { settings, locate }: SettingsComment): WarmSets {
  if (settings === undefined) return { sets: [], problems: [] };
  const problems: Problem[] = [];
  const report = (path: readonly string[], text: string) =>
    problems.push({ file, ...locate(path, 'value'), text });
  if (settings.warm.length > 0 && settings.warmSeconds === 0) {
    report(['warm'], 'Bad setting "warm": needs warmSeconds');
  }
  const parameters = declaredParameters(settings.parameters);
  const sets = settings.warm.map((texts, index) => {
    const place = ['warm', String(index)];
    for (const name of Object.keys(texts)) {
      if (Object.hasOwn(settings.parameters, name)) continue;
      const problem = `Bad setting "${[...place, name].join('.')}": there is no parameter "${name}"`;
      problems.push({ file, ...locate([...place, name]), text: problem });
    }
    try {
      const given = parameters.flatMap((parameter) => {
        const value = Object.hasOwn(texts, parameter.name) ? texts[parameter.name] : undefined;
        return value === undefined ? [] : [[parameter.name, givenIn(parameter, value)] as const];
      });
      return coerceParameters({ parameters }, new Map(given));
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      const { parameter } = error.details;
      const path = parameter !== undefined && Object.hasOwn(texts, parameter) ? [...place, parameter] : place;
      report(path, `Bad setting "${path.join('.')}": ${error.message}`);
      return new Map();
    }
  });
  return { sets, problems };
}

/** A list in YAML is an array, element by element. A text is one that a caller could send. */
function givenIn(parameter: EndpointParameter, value: string | readonly string[]): GivenValue {
  if (typeof value === 'string') return givenAsTexts(parameter, [value]);
  if (parameter.type.kind === 'ARRAY') return value;
  throw notOneText(parameter.name);
}
