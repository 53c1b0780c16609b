import { systemClock } from '../../base/system/clock.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { RowStore } from '../../rows/ingest/row-store.ts';
import type { SchemaShape } from '../../server/graphql/shape/shape.ts';
import { type ReloadHooks, startReloading } from '../reload/start-reloading.ts';
import type { Launches } from './launch.ts';
import { type OpeningHooks, openGateway } from './open-gateway.ts';

export interface RunningGateway {
  readonly url: string;
  /** The key with every right: API_KEY, or one made for this run. */
  readonly key: string;
  readonly keyIsRandom: boolean;
  /** The endpoints and sources at the start. */
  readonly endpoints: readonly Endpoint[];
  readonly sources: readonly Source[];
  /** The fields and arguments of the endpoints at the start, for examples. */
  readonly shape: SchemaShape;
  /** The sources and the endpoints now. */
  current(): { readonly sources: readonly Source[]; readonly endpoints: readonly Endpoint[] };
  /** The rows of the embedded engine. */
  readonly rows: RowStore | undefined;
  /** Reports that it is not ready, and continues to answer. */
  drain(): void;
  /** Stops listening, waits for requests in flight, and closes everything that was started. */
  close(): Promise<void>;
}

export interface GatewayHooks extends OpeningHooks {
  /** If omitted, endpoints and sources are not reloaded. */
  readonly reload?: ReloadHooks;
}

/**
 * Starts a gateway that listens. If a step fails, everything already started is closed.
 *
 * @param launches as for {@link openGateway}
 * @throws the errors of {@link openGateway}; errors of listening
 */
export async function runGateway(
  config: Config,
  hooks: GatewayHooks,
  launches: Launches,
): Promise<RunningGateway> {
  const { log, reload } = hooks;
  await using started = new AsyncDisposableStack();
  const open = started.use(await openGateway(config, hooks, launches));
  const { gateway, opened, keys, schema, sources, boards, files, fetched, replan } = open;
  const { key, keyIsRandom, importToken } = keys;
  const { server, warmer, invalidate } = gateway;
  const { url } = await server.listen(config);
  started.use(await opened.announce?.({ url, token: importToken }));
  warmer.start();
  started.defer(() => warmer.close());
  const reloading =
    reload &&
    startReloading(
      {
        folders: config,
        files,
        boards,
        reload: () => open.reload(),
        fetched: fetched && {
          look: (again) => fetched.look(again),
          // No reload reads files of two versions.
          swap: () => sources.change(() => fetched.swap()),
          everySeconds: config.endpointsPollSeconds,
          random: Math.random,
        },
        replan: () =>
          sources.change(async () => {
            const loaded = await replan({ endpoints: gateway.endpoints(), sources: sources.current });
            gateway.use(loaded);
            return { schema: loaded, sources: [] };
          }),
        onGrowth: (report) => sources.onGrowth(report),
        invalidate,
        clock: systemClock,
        log,
      },
      reload,
    );
  started.defer(() => reloading?.close());

  const running = started.move();
  return {
    url,
    key,
    keyIsRandom,
    endpoints: schema.endpoints,
    sources: sources.current,
    shape: schema.shape,
    current: () => ({ sources: sources.current, endpoints: gateway.endpoints() }),
    rows: opened.store,
    drain: () => server.drain(),
    close: () => running.disposeAsync(),
  };
}
