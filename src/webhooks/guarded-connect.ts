import { Resolver } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { isCallable, isLocalhost } from './check-address.ts';

/** Looking up a name: a server that does not answer is asked again once. The system's own look-up blocks a thread. */
const LOOKUP_TIMEOUT_MS = 1_500;
const LOOKUP_ATTEMPTS = 2;
const CONNECT_TIMEOUT_MS = 5_000;
/** Addresses of one name that are tried. */
const MAX_ADDRESSES = 3;
const LOOPBACK = ['127.0.0.1', '::1'];

/** The IP addresses of a name, at least one. @throws Error with the resolver's code */
type Resolve = (name: string) => Promise<readonly string[]>;
export type Dial = buildConnector.connector;
type DialOptions = Parameters<Dial>[0];

export interface ConnectOptions {
  allowLoopback: boolean;
  /** What a test plays: the names of the internet, and connections to it. */
  resolve?: Resolve;
  dial?: Dial;
}

/** The name or number leads where no webhook may go. */
export class ForbiddenAddressError extends Error {
  constructor() {
    super('the address leads to a private or reserved network');
    this.name = 'ForbiddenAddressError';
  }
}

/**
 * Makes connections for undici, each to an address that was checked: the name is resolved here, ONE address that is not
 * public refuses it, and the connection goes to the very address that was looked at, so that a name cannot lead
 * elsewhere between the check and the call. TLS still asks for the name.
 */
export function guardedConnect(options: ConnectOptions): Dial {
  const { allowLoopback, resolve = resolveName } = options;
  // HTTP/1.1 only: there one request after the other is on its way.
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

/** IPv4 first: it is what every machine has. */
async function resolveName(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: LOOKUP_TIMEOUT_MS, tries: LOOKUP_ATTEMPTS });
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const [failed] = found.filter((one) => one.status === 'rejected');
  if (addresses.length === 0 && failed !== undefined) throw failed.reason;
  return addresses;
}
