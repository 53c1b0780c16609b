import type { FullEndpoint } from '../../api/endpoints.ts';
import { CodeBlock } from '../../parts/code/code-block.tsx';
import { FailureFace } from '../../parts/faces/failure-face.tsx';
import { Loading } from '../../parts/faces/loading.tsx';
import type { Loaded } from '../../parts/loading/use-load.ts';
import { spanText } from '../../parts/text/time-text.ts';

/** The settings of an endpoint, and its SQL if the key may see it. */
export function DefinitionTab({ full: { value, failure } }: { readonly full: Loaded<FullEndpoint> }) {
  if (failure !== undefined) return <FailureFace failure={failure} />;
  if (value === undefined) return <Loading what="Loading the definition" />;
  return (
    <div class="definition-tab">
      <dl class="settings">
        {settingsOf(value).map(([setting, text]) => (
          <div key={setting}>
            <dt>{setting}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {value.definition === undefined ? (
        <p class="quiet">Only keys without restrictions see the SQL.</p>
      ) : (
        <CodeBlock label="SQL" text={value.definition.sql.trim()} />
      )}
    </div>
  );
}

function settingsOf(endpoint: FullEndpoint): readonly (readonly [name: string, text: string])[] {
  const { id, graphqlField, maxRows, exportRows, cacheSeconds, sandbox } = endpoint;
  const shown = {
    id,
    graphqlField,
    maxRows: maxRows.toLocaleString('en'),
    exportRows: exportRows.toLocaleString('en'),
    cacheSeconds: cacheSeconds === 0 ? 'not cached' : `${cacheSeconds} (${spanText(cacheSeconds)})`,
    sandbox: String(sandbox),
  };
  const others = Object.entries(endpoint.definition?.settings ?? {})
    .filter(([name, value]) => !(name in shown) && value !== null && value !== undefined)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const);
  return [...Object.entries(shown), ...others];
}
