import { isIP } from 'node:net';
import { isVisible } from '../text.ts';

/** An origin that is one word in a header and in a shell. A host may contain a semicolon, and in a shell's words `$(…)`. */
export const PLAIN_ORIGIN = /^https?:\/\/[\w.:[\]-]+$/;

/** From the slashes to the first character that ends it for anybody, a browser or RFC 3986. */
const AUTHORITY = /^https?:\/\/([^/?#\\]*)/i;

/**
 * What is wrong with how an address is written, as the end of a sentence without its full stop: programs differ about where
 * it leads, or people do. To a browser `https://a.example\@b.example` leads to a.example, to others to b.example.
 */
export function writingFault(text: string, { hostname }: URL): string | undefined {
  if (!isVisible(text)) return 'must not have invisible characters';
  const [ahead = ''] = text.split(/[?#]/, 1);
  if (ahead.includes('\\')) return 'must not have a backslash';
  if (AUTHORITY.exec(text)?.[1]?.includes('@')) return 'must not contain a user name or password';
  return hostFault(text, hostname);
}

/** @param hostname as it was read. */
export function hostFault(text: string, hostname: string): string | undefined {
  return hostAsWritten(text) === hostname ? undefined : `must name its host plainly: "${hostname}" is what it means`;
}

/**
 * The host before it was read: in lower case, and names of other scripts as they are sent. Whatever else differs is an
 * odd spelling, such as a decimal or octal IP address, that looks like another place to people and other programs.
 */
function hostAsWritten(text: string): string | undefined {
  const host = /^https?:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:\\]*)/i.exec(text)?.[1]?.toLowerCase();
  if (host === undefined || /^[\x21-\x7e]*$/.test(host)) return host;
  // A name in another script is spelled as people write it; digits and dots of other scripts are a disguise.
  const ascii = new URL(`http://${host}`).hostname;
  return isIP(ascii) === 0 && /^xn--|\.xn--/.test(ascii) ? ascii : host;
}
