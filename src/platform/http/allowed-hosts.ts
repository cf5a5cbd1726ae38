import { BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { createLruMap } from '../cache.ts';
import { AppError } from '../errors.ts';

/**
 * The network that an address is counted under: an IPv4 address is one, and the owner of one IPv6 address has a /64 of
 * them.
 */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const address = ipaddr.IPv6.parse(ip);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  return address.toByteArray().slice(0, 8).join('.');
}

const WITH_PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}|\[([\da-f:.]+)\](?::\d{1,5})?)$/i;

/**
 * The addresses of an X-Forwarded-For without ports. Proxies of Azure and IIS add the client's port: a client that uses
 * a new one each time would then count as many, and no key could be bound to its address.
 */
export function withoutPorts(forwardedFor: string): string {
  const addresses = forwardedFor.split(',').map((each) => {
    const [, ipv4, ipv6] = WITH_PORT.exec(each.trim()) ?? [];
    return ipv4 ?? ipv6 ?? each.trim();
  });
  return addresses.join(', ');
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers under any host name: it shows nothing, or asks for a proof that no browser has. */
    anyHost?: true;
  }
}

/** @throws AppError 421 `HOST_UNKNOWN` for a request under a name that is not one of this service's. */
export type HostCheck = (request: FastifyRequest) => void;

/** Hosts that were checked lately; a client uses the same one again and again. */
const MAX_REMEMBERED = 1_000;
const MAX_SHOWN = 100;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * A page of another site can make its own name lead to this machine and then read all that the service answers to
 * anybody. So the name has to be one of ours: this machine's own, one that was set, or the address of the connection
 * itself.
 * @param names of this service, without ports.
 */
export function createHostCheck(names: readonly string[]): HostCheck {
  const ours = new Set(names.map((name) => plainName(name)));
  const remembered = createLruMap<boolean>(MAX_REMEMBERED);
  const isOurs = (host: string) => {
    const name = hostnameOf(host);
    return ours.has(name) || isLoopbackName(name);
  };
  return (request) => {
    const { host, socket } = request;
    // HTTP/1.0 has none, and every browser sends one.
    if (host === '' || request.route.config.anyHost === true) return;
    let known = remembered.get(host);
    if (known === undefined) {
      known = isOurs(host);
      remembered.set(host, known);
    }
    if (!known && !namesAddress(host, socket.localAddress)) throw hostUnknown(host);
  };
}

function namesAddress(host: string, address = ''): boolean {
  const name = bare(hostnameOf(host));
  return isIP(name) !== 0 && name === plainAddress(address);
}

/** Whether a request was made on this machine, under a name of it, through no proxy, and not by another site's page. */
export function isFromThisMachine({ headers, socket, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return (
    isLoopbackAddress(socket.remoteAddress ?? '') &&
    isLoopbackName(hostnameOf(host)) &&
    !PROXY_HEADERS.some((name) => headers[name] !== undefined) &&
    (site === undefined || site === 'same-origin' || site === 'none')
  );
}

/** Headers that a proxy writes. A client behind one is somewhere else, whatever the socket's address is. */
const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via', 'x-real-ip'];

/** Whether an address, such as a socket's, is this machine's own. */
export function isLoopbackAddress(address: string): boolean {
  const plain = plainAddress(address);
  const version = isIP(plain);
  return version !== 0 && loopback.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(bare(name));
}

/** The name without its port. A text that is no host is no name of ours either. */
function hostnameOf(host: string): string {
  return plainName(URL.parse(`http://${host}/`)?.hostname ?? '');
}

/** `Pay.Example.` is `pay.example`. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** A socket for both families writes an IPv4 address as `::ffff:192.0.2.7`. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}

function bare(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1');
}

function hostUnknown(host: string): AppError {
  const shown = host.slice(0, MAX_SHOWN).toWellFormed();
  return new AppError(
    'misdirected',
    'HOST_UNKNOWN',
    `This service is not called ${JSON.stringify(shown)}. Call it by its own address; its operator names others in PUBLIC_URL or ALLOWED_HOSTS.`,
  );
}
