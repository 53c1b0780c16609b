import type { Ref } from 'preact';
import { useEffect, useImperativeHandle, useRef } from 'preact/hooks';
import type { Names } from '../../../sql/editing/completion.ts';
import type { Failure } from '../../api/failure.ts';
import type { EditorService } from './editor-service.ts';
import { type Editor, type Language, type Mark, mountEditor } from './mount-editor.ts';
import { spanAt } from './place.ts';

export interface CodeEditorProps {
  readonly label: string;
  readonly language: Language;
  readonly text: string;
  readonly names: Names;
  /** Marks its place in the text. */
  readonly failure?: Failure | undefined;
  /** What else is wrong, and where. */
  readonly marks?: readonly Mark[] | undefined;
  /** The gateway's knowledge of the text, instead of `names`. It stays the same. */
  readonly service?: EditorService | undefined;
  readonly onText: (text: string) => void;
  readonly onRun: () => void;
  readonly handle?: Ref<EditorHandle> | undefined;
}

/** What others may do with an editor. */
export type EditorHandle = Pick<Editor, 'focus' | 'goToMark' | 'insert'>;

/** An editor for SQL and LQL. It is large: load it when it is needed. */
export default function CodeEditor(props: CodeEditorProps) {
  const { label, language, text, failure, marks, handle } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const latest = useRef(props);
  latest.current = props;
  // What the user has typed comes back as the text, perhaps when there is more of it already.
  const echoes = useRef(new Set<string>());

  useEffect(() => {
    if (host.current === null) return;
    const mounted = mountEditor(host.current, {
      text: latest.current.text,
      language: latest.current.language,
      label,
      names: () => latest.current.names,
      service: latest.current.service,
      onText: (changed) => {
        echoes.current.add(changed);
        latest.current.onText(changed);
      },
      onRun: () => latest.current.onRun(),
    });
    editor.current = mounted;
    return () => mounted.destroy();
  }, [label]);

  useEffect(() => editor.current?.setLanguage(language), [language]);
  useEffect(() => {
    if (!echoes.current.has(text)) editor.current?.setText(text);
    if (editor.current?.text() === text) echoes.current.clear();
  }, [text]);
  useEffect(() => {
    const location = failure?.facts.location;
    const message = failure?.message ?? '';
    const ofFailure = location === undefined ? [] : [{ ...spanAt(latest.current.text, location), message }];
    editor.current?.mark([...ofFailure, ...(marks ?? [])]);
  }, [failure, marks]);
  useImperativeHandle(handle ?? null, () => ({
    focus: () => editor.current?.focus(),
    goToMark: () => editor.current?.goToMark(),
    insert: (given) => editor.current?.insert(given),
  }));

  return <div ref={host} class="editor" />;
}
