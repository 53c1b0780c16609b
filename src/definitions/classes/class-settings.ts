import { z } from 'zod';
import { reservationPattern } from '../jobs/job.ts';
import { type QueryClass, queryClasses } from './query-class.ts';

/** The settings of a class of queries. Absent ones have the gateway's values. */
export interface ClassSettings {
  /** Its part of the time of the permits while queries of several classes wait. */
  readonly weight: number;
  /** The most permits that its queries hold. */
  readonly permits?: number;
  /** The most queries of it that wait. */
  readonly waiting?: number;
  /** The time limit of its queries in seconds, including queue time. */
  readonly timeoutSeconds?: number;
  /** The priority of its BigQuery jobs. */
  readonly priority?: 'interactive' | 'batch';
  /** The reservation of its BigQuery jobs. */
  readonly reservation?: string;
}

export type ClassesSettings = Readonly<Record<QueryClass, ClassSettings>>;

const defaults: ClassesSettings = {
  interactive: { weight: 16 },
  default: { weight: 4 },
  background: { weight: 1 },
};

function numberFrom(min: number, max: number, form: RegExp, what: string) {
  const expected = `expected ${what} from ${min} to ${max}`;
  return z
    .string()
    .regex(form, expected)
    .transform(Number)
    .refine((value) => value >= min && value <= max, expected);
}

const whole = (min: number, max: number) => numberFrom(min, max, /^\d{1,9}$/, 'a whole number');

/** How the properties of a class are read from their texts. */
const properties = {
  weight: whole(1, 1000),
  permits: whole(1, 1000),
  waiting: whole(0, 100_000),
  timeoutSeconds: numberFrom(0.001, 3600, /^\d{1,9}(?:\.\d{1,3})?$/, 'a number'),
  priority: z.enum(['interactive', 'batch'], 'expected interactive or batch'),
  reservation: z
    .string()
    .regex(reservationPattern, 'expected projects/<project>/locations/<location>/reservations/<name>'),
} satisfies Record<keyof ClassSettings, z.ZodType>;

/** `background.permits=2,background.timeoutSeconds=60`: what differs from the defaults. */
export const classesSettings = z
  .string()
  .default('')
  .transform((text, context): ClassesSettings => {
    const classes: Record<QueryClass, ClassSettings> = { ...defaults };
    const given = new Set<string>();
    for (const item of text.split(',').map((part) => part.trim())) {
      if (item === '') continue;
      const mistake = (message: string) => context.addIssue({ code: 'custom', message });
      const [, path = '', name = '', property = '', value = ''] =
        /^(([^.=]+)\.([^=]+))=(.*)$/.exec(item) ?? [];
      const ofClass = queryClasses.find((known) => known === name);
      const schema = Object.hasOwn(properties, property) && properties[property as keyof ClassSettings];
      if (path === '') mistake(`expected <class>.<property>=<value>, got "${item}"`);
      else if (ofClass === undefined)
        mistake(`there is no class "${name}"; the classes are ${queryClasses.join(', ')}`);
      else if (!schema)
        mistake(`a class has no property "${property}", only ${Object.keys(properties).join(', ')}`);
      else if (given.has(path)) mistake(`"${path}" appears twice`);
      else {
        const parsed = schema.safeParse(value);
        if (parsed.success) classes[ofClass] = { ...classes[ofClass], [property]: parsed.data };
        else
          mistake(`${path}: ${parsed.error.issues.map(({ message }) => message).join(', ')}, got "${value}"`);
      }
      given.add(path);
    }
    return classes;
  });
