import { Resolver } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici/index.js';
import { hostFault } from '../platform/http/written-address.ts';
import type { Mode } from '../platform/tenant.ts';

const { parse, parseCIDR } = ipaddr;

/**
 * The range of IPv6 for the public internet. Outside of it are translations of other addresses, and ranges that have no
 * use yet.
 */
const GLOBAL_IPV6 = parseCIDR('2000::/3');

/** Addresses in public ranges that our own machine or its cloud answers. */
const OURS_IN_DISGUISE: ReadonlySet<string> = new Set([
  // Azure's host agent.
  '168.63.129.16',
]);

/**
 * Whether a webhook may be sent to this IP address. Only ordinary public ones qualify: no private, shared, link-local
 * (cloud metadata), reserved or multicast ranges, and no IPv6 form that wraps an IPv4 address.
 * @param allowLoopback this machine too
 */
export function isCallable(address: string, allowLoopback: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = parse(address);
  const range = parsed.range();
  if (range === 'loopback') return allowLoopback;
  if (range !== 'unicast' || OURS_IN_DISGUISE.has(parsed.toString())) return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6);
}

/** Web services listen on these ports, or above the ports that belong to the system. */
const WEB_PORTS: ReadonlySet<number> = new Set([80, 443]);
const FIRST_FREE_PORT = 1_024;
/** Ports of databases, queues and chat. Nobody may use us to talk to one of those. */
const OTHER_SERVICES: ReadonlySet<number> = new Set([
  1433, 1521, 2049, 2375, 2379, 3306, 3389, 5432, 5672, 5900, 6000, 6379, 6667, 9042, 9200, 11211, 27017,
]);

export interface AddressRules {
  mode: Mode;
  /** Allows the developer's own machine, in sandbox mode only. */
  allowLoopback: boolean;
}

/** Whether these rules allow calls to this machine. They never do for live events. */
export function reachesLoopback({ mode, allowLoopback }: AddressRules): boolean {
  return mode === 'SANDBOX' && allowLoopback;
}

/**
 * What is wrong with a webhook address as it is written, as the end of a sentence without its full stop; undefined when
 * nothing is. The address of its name is checked later, each time a connection is made.
 */
export function addressFault(text: string, rules: AddressRules): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.hostname === '') return 'must be a valid address';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://';
  if (rules.mode === 'LIVE' && url.protocol !== 'https:') return 'must begin with https:// in live mode';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  return hostFault(text, url.hostname) ?? placeFault(url, reachesLoopback(rules)) ?? portFault(url);
}

function placeFault(url: URL, loopback: boolean): string | undefined {
  const host = hostOf(url);
  if (isIP(host) !== 0) return isCallable(host, loopback) ? undefined : 'must not be a private or reserved IP address';
  if (isLocalhost(host)) return loopback ? undefined : 'must not be this machine';
  if (!host.includes('.')) return 'must have a host name with a domain, such as shop.example.com';
  if (/\.(local|internal|localdomain|home\.arpa|lan|intranet|corp|home)\.?$/.test(host)) {
    return 'must not be a name of a private network';
  }
  return undefined;
}

/** The host of a URL, without the brackets of an IPv6 address. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function isLocalhost(host: string): boolean {
  return /^(.+\.)?localhost\.?$/.test(host);
}

function portFault(url: URL): string | undefined {
  if (url.port === '') return undefined;
  const port = Number(url.port);
  if (WEB_PORTS.has(port) || (port >= FIRST_FREE_PORT && !OTHER_SERVICES.has(port))) return undefined;
  return `must not use port ${port}, which is not one of the web`;
}

/**
 * Limit for looking up a name: a server that does not answer is asked again once. The look-up of the operating system
 * would block a thread.
 */
const LOOKUP_TIMEOUT_MS = 1_500;
const LOOKUP_ATTEMPTS = 2;
const CONNECT_TIMEOUT_MS = 5_000;
/** So many addresses of one name are tried. */
const MAX_ADDRESSES = 3;
const LOOPBACK = ['127.0.0.1', '::1'];

/** The IP addresses of a name, at least one. @throws Error with the resolver's code */
type Resolve = (name: string) => Promise<readonly string[]>;
export type Dial = buildConnector.connector;
type DialOptions = Parameters<Dial>[0];

export interface ConnectOptions {
  allowLoopback: boolean;
  /** Tests replace these two: the names of the internet, and connections to it. */
  resolve?: Resolve;
  dial?: Dial;
}

/** A name or number leads to an address that no webhook may call. */
export class ForbiddenAddressError extends Error {
  constructor() {
    super('the address leads to a private or reserved network');
    this.name = 'ForbiddenAddressError';
  }
}

/**
 * Makes connections for undici, each to an address that was checked. The name is resolved here, and is refused where
 * one of its addresses is not public. The connection goes to the address that was checked, so that the name cannot lead
 * elsewhere between the check and the call. TLS still asks for the name.
 */
export function guardedConnect(options: ConnectOptions): Dial {
  const { allowLoopback, resolve = resolveName } = options;
  // HTTP/1.1 only: it has one request under way at a time.
  const dial = options.dial ?? buildConnector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false });

  async function connect(given: DialOptions): Promise<Socket | TLSSocket> {
    const host = given.hostname.replace(/^\[(.*)\]$/, '$1');
    const addresses = await addressesOf(host);
    if (addresses.length === 0 || !addresses.every((address) => isCallable(address, allowLoopback))) {
      throw new ForbiddenAddressError();
    }
    const servername = isIP(host) === 0 ? host.replace(/\.$/, '') : undefined;
    let failure: unknown;
    for (const address of addresses.slice(0, MAX_ADDRESSES)) {
      try {
        return await dialTo(dial, { ...given, hostname: address, ...(servername !== undefined && { servername }) });
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  async function addressesOf(host: string): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host];
    if (isLocalhost(host)) return allowLoopback ? LOOPBACK : [];
    return resolve(host);
  }

  return (given, callback) => {
    connect(given).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

function dialTo(dial: Dial, options: DialOptions): Promise<Socket | TLSSocket> {
  return new Promise((resolve, reject) => {
    dial(options, (...[error, socket]) => {
      if (error !== null) reject(error);
      else resolve(socket);
    });
  });
}

/** Resolves to IPv4 first: every machine has it. */
async function resolveName(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: LOOKUP_TIMEOUT_MS, tries: LOOKUP_ATTEMPTS });
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const [failed] = found.filter((one) => one.status === 'rejected');
  if (addresses.length === 0 && failed !== undefined) throw failed.reason;
  return addresses;
}
