import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { requireGateway } from '../api/client.ts';
import { Failure } from '../api/failure.ts';
import { FailureFace, Loading } from './faces/faces.tsx';

interface LazyProps<Props> {
  /** Imports a module whose default export is the component. */
  readonly load: () => Promise<{ readonly default: ComponentType<Props> }>;
  readonly props: Props;
  /** Stands in its place, as high as it will be, until the code is loaded: what is below must not move under a click. */
  readonly placeholder?: ComponentChildren;
}

/** A component whose code is loaded when it is shown. */
export function Lazy<Props extends object>({ load, props, placeholder }: LazyProps<Props>) {
  const [loaded, setLoaded] = useState<{ readonly Component: ComponentType<Props> }>();
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isShown = true;
    setFailure(undefined);
    loadCode().then(
      ({ default: Component }) => isShown && setLoaded({ Component }),
      (thrown: unknown) => isShown && setFailure(thrown),
    );
    return () => {
      isShown = false;
    };

    async function loadCode() {
      // What has failed once may fail again without being asked for: browsers remember it.
      if (attempt > 0) await requireGateway();
      try {
        return await load();
      } catch (thrown) {
        await requireGateway();
        if (attempt > 0) window.location.reload();
        throw thrown instanceof TypeError ? outdated() : thrown;
      }
    }
  }, [load, attempt]);
  if (failure !== undefined)
    return <FailureFace failure={failure} onRetry={() => setAttempt((number) => number + 1)} />;
  if (loaded === undefined) return placeholder ?? <Loading what="Loading the page" />;
  return <loaded.Component {...props} />;
}

/** The gateway answers, but has no such file: its console is another one by now. */
function outdated(): Failure {
  return new Failure(
    'The code of this page could not be loaded. The gateway may have another version by now.',
    {
      code: 'CODE_NOT_LOADED',
      status: 0,
    },
  );
}
