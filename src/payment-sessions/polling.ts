import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionRow } from './queries.ts';

/** So long whoever waits for money should wait before asking again. */
const POLL_SECONDS = 3;

/**
 * The `ETag` of what is shown of a session: the same for the same content.
 * @param shown which of its views, where it has more than one
 */
export function etagOf({ version, expires_at }: SessionRow, shown?: 'public' | 'over'): string {
  return `"${version}-${expires_at.getTime()}${shown === undefined ? '' : `-${shown}`}"`;
}

/**
 * Sets what whoever polls goes by: `ETag`, and `Retry-After` while the status may change.
 * @returns whether the request has this content already: then 304 is the answer.
 */
export function isUnchanged(
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  { etag, conclusive }: { etag: string; conclusive: boolean },
): boolean {
  reply.header('etag', etag);
  if (!conclusive) reply.header('retry-after', String(POLL_SECONDS));
  return headers['if-none-match'] === etag;
}
