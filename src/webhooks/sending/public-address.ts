import ipaddr from 'ipaddr.js';

const { parse, parseCIDR } = ipaddr;

/** All that is handed out for the public internet in IPv6; outside of it are translations and what has no use yet. */
const GLOBAL_IPV6 = parseCIDR('2000::/3');

/** In public ranges by number, but answered by the machine or the cloud that we run on. */
const OURS_IN_DISGUISE: ReadonlySet<string> = new Set([
  // Azure's host agent.
  '168.63.129.16',
]);

/**
 * May a webhook be sent to this IP address? Only to ordinary public ones: no private, shared, link-local (cloud metadata),
 * reserved or multicast ranges, and no IPv6 form that wraps an IPv4 address.
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
