import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieOf } from '../access/index.ts';

/** `__Secure-` keeps a plain connection from planting one; `__Host-` would not let it be of one session's path alone. */
const NAME = '__Secure-manilla_checkout';
/** A payer who comes back the next day still sees what became of the payment. */
const SECONDS = 7 * 24 * 60 * 60;
/** The client secret that a browser keeps for this page, if it has one. */
export function keptSecretOf(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  return cookieOf(request, NAME);
}

/**
 * Leaves the secret with the browser, out of the reach of scripts and for the pages of this session alone. Within a frame
 * of a shop it belongs to that shop's pages: browsers keep no other there.
 */
export function keepSecret(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  { sessionId, clientSecret }: { sessionId: string; clientSecret: string },
): void {
  const framed = ['iframe', 'frame'].includes(String(request.headers['sec-fetch-dest']));
  const site = framed ? 'SameSite=None; Partitioned' : 'SameSite=Lax';
  const path = `/checkout/${encodeURIComponent(sessionId)}`;
  reply.header('set-cookie', `${NAME}=${clientSecret}; Path=${path}; HttpOnly; Secure; ${site}; Max-Age=${SECONDS}`);
}
