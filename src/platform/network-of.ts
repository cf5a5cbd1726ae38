import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Who shares an address for counting: an IPv4 address is one, and whoever has one IPv6 address has a /64 of them. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const address = ipaddr.IPv6.parse(ip);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  return address.toByteArray().slice(0, 8).join('.');
}
