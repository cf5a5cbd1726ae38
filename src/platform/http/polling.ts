import type { FastifyReply, FastifyRequest } from 'fastify';

/** A client that polls should wait so long before it asks again. */
const POLL_SECONDS = 3;

/**
 * Sets the headers that a polling client uses: `ETag`, and `Retry-After` while the status may change.
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
