import { contentModule } from '../../content/index.js';
import { eipModule } from '../../eip/index.js';
import { engineModule } from '../../engine/index.js';
import { identityModule } from '../../identity/index.js';
import { openContent } from './content-domain.js';
import type { DomainNeeds, OpenDomain, ServerDomain } from './domain.js';
import { openEip } from './eip-domain.js';
import { openEngine } from './engine-domain.js';
import { openIdentity } from './identity-domain.js';

/** The domains of the server, by name. Another one is another row. */
const DOMAINS = {
  engine: { module: engineModule, open: openEngine },
  content: { module: contentModule, open: openContent },
  identity: { module: identityModule, open: openIdentity },
  eip: { module: eipModule, open: openEip },
} satisfies Record<string, ServerDomain>;

type Domains = typeof DOMAINS;

/** The domains that are open, by their names. */
export type OpenDomains = { readonly [Name in keyof Domains]: Awaited<ReturnType<Domains[Name]['open']>> };

/** The modules of the domains, which need nothing to be open. */
export const domainModules = Object.values<ServerDomain>(DOMAINS).map(({ module }) => module);

/** File URLs of the modules that threads load. */
export const moduleUrls = (kind: 'reader' | 'projections'): string[] =>
  domainModules.flatMap(({ [kind]: module }) => (module === undefined ? [] : [module.href]));

/** Opens all of them, one after the other. `opened`: told of each, so that it is closed although another one fails. */
export async function openDomains(needs: DomainNeeds, opened: (domain: OpenDomain) => void): Promise<OpenDomains> {
  const open: Record<string, OpenDomain> = {};
  for (const [name, domain] of Object.entries<ServerDomain>(DOMAINS)) {
    const one = await domain.open(needs);
    opened(one);
    open[name] = one;
  }
  return open as unknown as OpenDomains;
}
