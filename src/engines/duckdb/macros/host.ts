import { urlHost } from '../udf/net/url-host.ts';
import { Macro } from './macro.ts';

/** A typical URL, without user information and without dots at the host's ends. Others use the slower function. */
const plainUrl =
  '^[A-Za-z][A-Za-z0-9+.-]*://([A-Za-z0-9_-](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?)(?::[0-9]*)?(?:[/?#]|$)';

/** The host of a URL, NET.HOST. */
export const host = new Macro(
  'host_of_url',
  ['url'],
  () => `coalesce(nullif(regexp_extract(url, '${plainUrl}', 1), ''), ${urlHost.call(['url'])})`,
);

export const hostMacros = [host];
