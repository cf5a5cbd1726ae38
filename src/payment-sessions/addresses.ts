import { invalidField } from '../platform/errors.ts';
import { isLoopbackAddress } from '../platform/http/allowed-hosts.ts';
import type { Mode } from '../platform/tenant.ts';

/**
 * An address to which a payer's browser is sent: https, or http to this machine in the sandbox.
 * @throws AppError `VALIDATION_FAILED`
 */
export function requireAddress(text: string, field: string, mode: Mode): URL {
  const url = URL.parse(text);
  if (url === null || !isSafe(url, mode)) throw invalidField(field, 'must be an https address.');
  if (url.username !== '' || url.password !== '') throw invalidField(field, 'must not hold a name or password.');
  return url;
}

/** An origin as a browser writes it. @throws AppError `VALIDATION_FAILED` */
export function requireOrigin(text: string, mode: Mode): string {
  const url = URL.parse(text);
  if (url === null || !isSafe(url, mode) || url.origin !== text) {
    throw invalidField('allowedOrigins', 'must be origins such as https://shop.example, without a path.');
  }
  return url.origin;
}

/** A host, with its port where it has one. @throws AppError `VALIDATION_FAILED` */
export function requireHost(text: string): string {
  const url = URL.parse(`https://${text}`);
  if (url === null || url.host !== text.toLowerCase() || url.pathname !== '/') {
    throw invalidField('allowedReturnHosts', 'must be hosts such as shop.example, without a path.');
  }
  return url.host;
}

function isSafe({ protocol, hostname }: URL, mode: Mode): boolean {
  if (protocol === 'https:') return true;
  const name = hostname.replace(/^\[|\]$/g, '');
  return protocol === 'http:' && mode === 'SANDBOX' && (name === 'localhost' || isLoopbackAddress(name));
}
