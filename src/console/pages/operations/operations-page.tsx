import { Empty } from '../../parts/faces/empty.tsx';
import { FailureFace } from '../../parts/faces/failure-face.tsx';
import { Loading } from '../../parts/faces/loading.tsx';
import { messageOf } from '../../parts/text/message-of.ts';
import { spanText } from '../../parts/text/time-text.ts';
import { mayOperate, useSession } from '../../session/session.ts';
import { CallsChart } from './calls-chart.tsx';
import { EndpointTable } from './endpoint-table.tsx';
import { KeysSection } from './keys-section.tsx';
import { SourceTable } from './source-table.tsx';
import { Tiles } from './tiles.tsx';
import { useOperations } from './use-operations.ts';

/** How the gateway is doing, and what operators do about it. */
export default function OperationsPage() {
  const { caller } = useSession();
  if (mayOperate(caller)) return <Operations />;
  return (
    <Empty title="No permission">
      <p class="quiet">This page needs an unrestricted key with the scope admin.</p>
    </Empty>
  );
}

function Operations() {
  const session = useSession();
  const { client } = session;
  const { snapshots, failure, retry } = useOperations(client);
  const latest = snapshots.at(-1);
  if (latest === undefined) {
    return failure === undefined ? (
      <Loading what="Asking the gateway" />
    ) : (
      <FailureFace failure={failure} onRetry={retry} />
    );
  }
  const { operations, at } = latest;
  return (
    <section class="page" aria-labelledby="title">
      <div class="page-head">
        <h1 id="title">Operations</h1>
        <span class="quiet">
          of this gateway, counted for {spanText((at - Date.parse(operations.startedAt)) / 1000)}
        </span>
        {failure !== undefined && (
          <span class="badge badge-warn" role="alert">
            {messageOf(failure)} The numbers are old.
          </span>
        )}
      </div>
      <Tiles snapshots={snapshots} latest={operations} />
      <CallsChart snapshots={snapshots} />
      <section aria-labelledby="endpoints">
        <h2 id="endpoints">Endpoints</h2>
        <EndpointTable client={client} endpoints={operations.endpoints} onPurged={retry} />
      </section>
      <section aria-labelledby="sources">
        <h2 id="sources">Sources</h2>
        <SourceTable sources={operations.sources} now={at} />
      </section>
      <KeysSection session={session} />
    </section>
  );
}
