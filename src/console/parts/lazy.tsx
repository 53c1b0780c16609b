import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
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
  useEffect(() => {
    let isShown = true;
    load().then(
      ({ default: Component }) => isShown && setLoaded({ Component }),
      (thrown: unknown) => isShown && setFailure(thrown),
    );
    return () => {
      isShown = false;
    };
  }, [load]);
  if (failure !== undefined)
    return <FailureFace failure={failure} onRetry={() => window.location.reload()} />;
  if (loaded === undefined) return placeholder ?? <Loading what="Loading the page" />;
  return <loaded.Component {...props} />;
}
