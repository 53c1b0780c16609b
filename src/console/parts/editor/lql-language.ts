import { StreamLanguage, type StreamParser } from '@codemirror/language';

interface State {
  /** What comes next in the clause. */
  place: 'clause' | 'value' | 'table' | 'time' | 'columns' | 'chart';
}

const parser: StreamParser<State> = {
  name: 'lql',
  startState: () => ({ place: 'clause' }),
  token(stream, state) {
    if (stream.eatSpace()) {
      state.place = 'clause';
      return null;
    }
    if (stream.match(/^"(?:\\.|[^"\\])*"?/)) return 'string';
    if (state.place === 'clause') {
      if (stream.sol() || /\s/.test(stream.string.charAt(stream.pos - 1))) {
        if (stream.match(/^-(?=\S)/)) return 'operator';
      }
      return clauseStart(stream, state);
    }
    if (stream.match(/^(?:@>~?|[<>]=?|~|\.\.|::)/)) return 'operator';
    if (state.place === 'table') return take(stream, 'typeName');
    if (state.place === 'columns') return stream.match(/^@\w+/) ? 'labelName' : take(stream, 'propertyName');
    if (state.place === 'chart' && stream.match(/^\w+(?=\()/)) return 'keyword';
    if (stream.match(/^[\d:.T+-]+(?=[\s.)]|$)/)) return 'number';
    if (stream.match(/^(?:NULL|true|false|now|today|yesterday)\b/)) return 'atom';
    if (stream.match(/^(?:last|this)@\w+/)) return 'atom';
    if (state.place === 'chart') return stream.match(/^[\w.]+/) ? 'propertyName' : next(stream);
    return stream.match(/^\w+/) ? 'string' : next(stream);
  },
};

type Stream = Parameters<StreamParser<State>['token']>[0];

const places = {
  f: 'table',
  from: 'table',
  t: 'time',
  timestamp: 'time',
  s: 'columns',
  select: 'columns',
} as const;

function clauseStart(stream: Stream, state: State): string | null {
  const known = stream.match(/^(f|from|t|timestamp|s|select|c|chart):/);
  if (Array.isArray(known)) {
    const name = known[1] ?? '';
    state.place = name in places ? places[name as keyof typeof places] : 'chart';
    return 'keyword';
  }
  if (stream.match(/^[\w.]+(?=:)/)) {
    stream.eat(':');
    state.place = 'value';
    return 'propertyName';
  }
  if (stream.match(/^~\S*/)) return 'regexp';
  return take(stream, 'string');
}

function take(stream: Stream, style: string): string | null {
  return stream.match(/^[^\s"@]+/) ? style : next(stream);
}

function next(stream: Stream): null {
  stream.next();
  return null;
}

/** LQL, highlighted. */
export const lql = StreamLanguage.define(parser);
