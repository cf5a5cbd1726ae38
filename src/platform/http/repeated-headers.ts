import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/**
 * Headers that say who asks, of whom, and how the body is read. Of two Node keeps the first, where a proxy before us may
 * have judged the second (RFC 9110, section 5.3; of Host RFC 9112, section 3.2, asks for a 400).
 */
const ONCE: readonly string[] = ['Host', 'Authorization', 'Content-Type'];

/** @throws AppError 400 `REQUEST_MALFORMED` where a header that counts once is there more than once. */
export function requireHeadersOnce({ raw }: FastifyRequest): void {
  // A plain request has each header once.
  const { rawHeaders } = raw as Partial<Pick<typeof raw, 'rawHeaders'>>;
  if (rawHeaders === undefined) return;
  for (const name of ONCE) {
    const lower = name.toLowerCase();
    const times = rawHeaders.filter((other, at) => at % 2 === 0 && other.toLowerCase() === lower).length;
    if (times > 1)
      throw new AppError('invalid', 'REQUEST_MALFORMED', `The header ${name} is there more than once. Send it once.`);
  }
}
