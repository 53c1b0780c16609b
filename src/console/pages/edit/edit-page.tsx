import { useEffect, useMemo } from 'preact/hooks';
import { type EndpointFile, editingOf, type QueryLiterals } from '../../api/editing.ts';
import { Empty, FailureFace, Loading } from '../../parts/faces/faces.tsx';
import { useLoad } from '../../parts/loading/use-load.ts';
import { useSession } from '../../session/session.ts';
import { Workbench } from './workbench.tsx';

interface EditPageProps {
  /** The endpoint whose file it is; undefined for a new one. */
  readonly endpoint?: string | undefined;
  /** The query of a new one as `sql`; values to try with. */
  readonly values: URLSearchParams;
}

/** What is edited, as it is before. */
type Opened = { readonly file: EndpointFile } | { readonly query: QueryLiterals };

/** The file of an endpoint to write, check, try and save: of one that is served, or of a new one made of a query. */
export default function EditPage({ endpoint, values }: EditPageProps) {
  const { client, caller } = useSession();
  const editing = useMemo(() => editingOf(client), [client]);
  const opened = useLoad<Opened>();
  const { load } = opened;
  const sql = values.get('sql') ?? '';
  useEffect(() => {
    if (!caller.editsEndpoints) return;
    load(async (signal) =>
      endpoint === undefined
        ? { query: await editing.literals(sql || 'SELECT 1 AS one', signal) }
        : { file: await editing.read(endpoint, signal) },
    );
  }, [editing, endpoint, sql, load, caller.editsEndpoints]);
  if (!caller.editsEndpoints) {
    return (
      <Empty title="This key edits no endpoints">
        <p class="quiet">That needs the scope admin and no restrictions.</p>
      </Empty>
    );
  }
  const { value, failure } = opened;
  if (failure !== undefined) {
    return (
      <FailureFace failure={failure}>
        {endpoint === undefined && <p class="quiet">Go back, and correct the query.</p>}
      </FailureFace>
    );
  }
  if (value === undefined) return <Loading what="Opening the editor" />;
  return <Workbench {...{ editing, values }} name={endpoint} opened={value} />;
}
