import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { ExchangeFailure } from '../../../expression/routes.js';

/** Addresses at which there is no host of the internet: the machine itself, networks of one's own, links, tunnels to these, and what is not routed. */
const OWN_NETWORKS = new BlockList();
for (const [network, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
  ] as const),
  ...([
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const),
] as const)
  OWN_NETWORKS.addSubnet(network, bits, 'ipv4');
/** The one network of IPv6 in which addresses of the internet are given; what of it is not. */
const INTERNET = new BlockList();
INTERNET.addSubnet('2000::', 3, 'ipv6');
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  OWN_NETWORKS.addSubnet(network, bits, 'ipv6');

/** Whether an address is one of the internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !OWN_NETWORKS.check(address, 'ipv4');
  return family === 6 && INTERNET.check(address, 'ipv6') && !OWN_NETWORKS.check(address, 'ipv6');
}

/** The hosts that routes may reach, as the operator has listed them. */
export class HostRules {
  readonly #named = new Set<string>();
  /** Ends of names: `.example.com`, with a port behind it where only that one is meant. */
  readonly #ends: readonly string[];
  readonly #isPublicAllowed: boolean;

  /** `hosts`: names or addresses, `*.example.com`, or `*` for all that are public; each with a port where only that one is meant. */
  constructor(hosts: readonly string[]) {
    const written = hosts.map((host) => host.toLowerCase());
    this.#isPublicAllowed = written.includes('*');
    this.#ends = written.filter((host) => host.startsWith('*.')).map((host) => host.slice(1));
    for (const host of written) if (!host.startsWith('*')) this.#named.add(host);
  }

  /** Which addresses of a host may be reached: any, those that are public, or none. `hostname`: as a URL has it; an address of IPv6 in brackets. */
  reachOf(hostname: string, port: string): 'any' | 'public' | 'none' {
    const host = hostname.toLowerCase().replace(/\.$/, '');
    const names = [host, `${host}:${port}`];
    if (names.some((name) => this.#named.has(name) || this.#ends.some((end) => name.endsWith(end)))) return 'any';
    return this.#isPublicAllowed ? 'public' : 'none';
  }

  /** @throws ExchangeFailure `java.lang.SecurityException` where nothing of the host may be reached, or it is an address that may not */
  require(hostname: string, port: string): void {
    const reach = this.reachOf(hostname, port);
    if (reach === 'none') throw refused(`${hostname}:${port}`, 'it is none of the hosts that routes may reach');
    const address = hostname.replace(/^\[|\]$/g, '');
    if (reach === 'public' && isIP(address) !== 0 && !isPublicAddress(address)) throw notPublic(`${hostname}:${port}`);
  }

  /** Looks a name up as a connection is made, so that the addresses that were checked are those that are reached. */
  lookupFor(hostname: string, port: string): LookupFunction {
    const isAny = this.reachOf(hostname, port) === 'any';
    return (name, options, done) => {
      lookup(name, { ...options, all: true }, (error, addresses) => {
        const wrong = error ?? (isAny ? null : firstNotPublic(hostname, port, addresses));
        if (wrong !== null) done(wrong as NodeJS.ErrnoException, [], 0);
        else if (options.all === true) done(null, addresses);
        else done(null, addresses[0]?.address ?? '', addresses[0]?.family);
      });
    };
  }
}

/** One such address is enough: whoever answers for the name chooses which of them is reached. */
const firstNotPublic = (hostname: string, port: string, addresses: readonly { readonly address: string }[]) =>
  addresses.every(({ address }) => isPublicAddress(address)) ? null : notPublic(`${hostname}:${port}`);

const notPublic = (host: string) =>
  refused(host, 'its address is one of this machine or of a network of its own, and it is not listed by its name');

const refused = (host: string, why: string) =>
  new ExchangeFailure('java.lang.SecurityException', `The host ${host} is refused: ${why} (MILLRACE_HTTP_HOSTS)`);
