import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  authorise,
  authoriseEndpoint,
  authoriseRows,
  requireUnrestricted,
} from '../../../src/calls/access/authorise.ts';
import { type Bounds, cachePartition, everyScope } from '../../../src/calls/access/caller/caller.ts';
import { newKeyText } from '../../../src/calls/access/key/key-text.ts';
import { endpointWith } from '../executor/support/endpoint.ts';

const counts = endpointWith();
const noProject = endpointWith({ id: '00000000-0000-4000-8000-000000000002', name: 'other', parameters: [] });
const given = (texts: Readonly<Record<string, string | null>>) => new Map(Object.entries(texts));
const forbidden = expect.objectContaining({ code: 'FORBIDDEN' });

describe('a key without bounds', () => {
  test('may ask for everything, with the texts as they are', () => {
    const texts = given({ project: '.*' });
    expect(authorise({}, counts, texts)).toBe(texts);
    expect(authorise({}, noProject, new Map())).toEqual(new Map());
  });
});

describe.each([{}, { projects: new Set(['abc']) }])('parameters of a caller with the bounds %o', (bounds) => {
  const key = newKeyText();

  test.each([
    { project: key },
    { project: 'abc', sql: `SELECT '${key}'` },
    { project: 'abc', lql: `f:edge_logs ${key}` },
    { project: 'abc', [key]: '1' },
    { project: 'abc', unknown: `a${key}b` },
  ])('are refused with a key in them: %o', (texts) => {
    const refused = expect.objectContaining({ code: 'BAD_USER_INPUT' });
    expect(() => authorise(bounds, counts, given(texts))).toThrow(refused);
  });
});

describe('a key that is bound to projects', () => {
  const bounds: Bounds = { projects: new Set(['abc', 'a-b_C']) };

  test('may ask for each of them', () => {
    for (const project of ['abc', 'a-b_C']) {
      expect(authorise(bounds, counts, given({ project }))).toEqual(given({ project }));
    }
  });

  test.each([
    'xyz',
    '',
    ' abc',
    'abc ',
    'ABC',
    'Abc',
    'ab',
    'abcd',
    '.*',
    'a.c',
    'abc|xyz',
    '^abc$',
    '(abc)',
    'abc?',
    '[a]bc',
    '(?i)abc',
    'abc\0',
    'abc\n',
    'abc,xyz',
    'abc/../xyz',
    'аbc',
    'ａbc',
    'abc\u200b',
    'abc\u0301',
    "abc' OR '1'='1",
    '%61bc',
    'a-b_c',
    '__proto__',
    'constructor',
  ])('may not ask for %j', (project) => {
    expect(() => authorise(bounds, counts, given({ project }))).toThrow(forbidden);
  });

  test('may not leave it out', () => {
    expect(() => authorise(bounds, counts, new Map())).toThrow(forbidden);
    expect(() => authorise(bounds, counts, given({ project: null }))).toThrow(forbidden);
  });

  test('may not give it under another name', () => {
    for (const name of ['Project', 'PROJECT', 'project[]', 'project ']) {
      expect(() => authorise(bounds, counts, given({ [name]: 'abc' }))).toThrow(forbidden);
    }
  });

  test('may not call an endpoint without projects', () => {
    expect(() => authorise(bounds, noProject, given({ project: 'abc' }))).toThrow(forbidden);
  });

  test('may ask for a text exactly when it is one of them', () => {
    const refs = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/);
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), refs);
    fc.assert(
      fc.property(fc.uniqueArray(refs, { minLength: 1, maxLength: 5 }), text, (projects, project) => {
        const ask = () => authorise({ projects: new Set(projects) }, counts, given({ project }));
        if (projects.includes(project)) expect(ask().get('project')).toBe(project);
        else expect(ask).toThrow(forbidden);
      }),
    );
  });

  test('gets an error that names its own projects, not the requested one', () => {
    const ask = () => authorise(bounds, counts, given({ project: 'xyz' }));
    expect(ask).toThrow('Parameter "project": this key allows "abc" or "a-b_C" only.');
  });
});

describe('a key with a pinned parameter', () => {
  const bounds: Bounds = { pins: new Map([['size', '7']]) };

  test('has it set where it is absent', () => {
    expect(authorise(bounds, counts, given({ project: 'x' })).get('size')).toBe('7');
    expect(authorise(bounds, counts, given({ project: 'x', size: null })).get('size')).toBe('7');
  });

  test('may give it as it is, and in no other way', () => {
    expect(authorise(bounds, counts, given({ size: '7' })).get('size')).toBe('7');
    for (const size of ['8', '07', '+7', '', ' 7', '7.0']) {
      expect(() => authorise(bounds, counts, given({ size }))).toThrow(forbidden);
    }
  });

  test('may not call an endpoint without it', () => {
    expect(() => authorise(bounds, noProject, new Map())).toThrow(forbidden);
  });

  test('keeps what else was given, and leaves it to its owner', () => {
    const texts = given({ project: 'x' });
    expect(authorise(bounds, counts, texts)).not.toBe(texts);
    expect(texts.has('size')).toBe(false);
  });
});

describe('a key that is bound to values of an array', () => {
  const strings = { kind: 'ARRAY', element: { kind: 'STRING' } } as const;
  const parameters = ['project', 'size'].map((name) => ({ name, type: strings, required: false }));
  const endpoint = endpointWith({ parameters });
  const projects: Bounds = { projects: new Set(['abc', 'xyz']) };
  const pins: Bounds = { pins: new Map([['size', '7']]) };

  test('may ask for allowed elements only, and for at least one', () => {
    for (const project of [['abc'], ['xyz', 'abc', 'abc']]) {
      expect(authorise(projects, endpoint, new Map([['project', project]])).get('project')).toEqual(project);
    }
    for (const project of [[], null, ['abc', 'other'], ['["abc"]'], ['']]) {
      expect(() => authorise(projects, endpoint, new Map([['project', project]]))).toThrow(forbidden);
    }
  });

  test('has a pinned value set where it is absent, and may give nothing else', () => {
    expect(authorise(pins, endpoint, new Map()).get('size')).toEqual(['7']);
    expect(authorise(pins, endpoint, new Map([['size', ['7', '7']]])).get('size')).toEqual(['7', '7']);
    for (const size of [[], ['7', '8'], ['07']]) {
      expect(() => authorise(pins, endpoint, new Map([['size', size]]))).toThrow(forbidden);
    }
  });

  test('may have no key in an element', () => {
    const size = ['7', newKeyText()];
    const refused = expect.objectContaining({ code: 'BAD_USER_INPUT' });
    expect(() => authorise({}, endpoint, new Map([['size', size]]))).toThrow(refused);
  });
});

describe('a key that is bound to endpoints', () => {
  const bounds = (...endpoints: string[]): Bounds => ({ endpoints: new Set(endpoints) });

  test('may call those that it names, by name or id', () => {
    expect(() => authorise(bounds('counts'), counts, new Map())).not.toThrow();
    expect(() => authorise(bounds(counts.id), counts, new Map())).not.toThrow();
  });

  test('may call no other', () => {
    for (const name of ['Counts', 'count', 'counts ', '', 'cou.*']) {
      expect(() => authorise(bounds(name), counts, new Map())).toThrow(forbidden);
    }
  });

  test('learns nothing about which others there are', () => {
    const messageOf = (work: () => void) => {
      try {
        work();
      } catch (error) {
        return String(error);
      }
      return undefined;
    };
    const there = messageOf(() => authoriseEndpoint(bounds('x'), noProject, 'other'));
    expect(there).toBe(messageOf(() => authoriseEndpoint(bounds('x'), undefined, 'other')));
    expect(there).toContain('"other"');
  });
});

describe('what is about all rows', () => {
  test('is not for keys that see some of them', () => {
    for (const bounds of [{ projects: new Set(['a']) }, { pins: new Map([['size', '7']]) }]) {
      expect(() => authoriseRows(bounds)).toThrow(forbidden);
      expect(() => requireUnrestricted(bounds)).toThrow(forbidden);
    }
    expect(() => requireUnrestricted({ endpoints: new Set(['counts']) })).toThrow(forbidden);
    expect(() => authoriseRows({ endpoints: new Set(['counts']) })).not.toThrow();
    expect(() => requireUnrestricted({})).not.toThrow();
  });
});

describe('cached answers', () => {
  test('are shared by callers without bounds only', () => {
    const caller = (bounds: Bounds) => ({ name: 'who', redact: false, scopes: everyScope, ...bounds });
    const [one, two] = [caller({ projects: new Set(['a']) }), caller({ projects: new Set(['a']) })];
    expect(cachePartition(caller({}))).toBe(cachePartition(caller({})));
    expect(cachePartition(one)).toBe(cachePartition(one));
    expect(new Set([cachePartition(caller({})), cachePartition(one), cachePartition(two)]).size).toBe(3);
    expect(cachePartition(one)).not.toMatch(/\s/);
  });
});
