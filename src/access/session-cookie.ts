import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * `__Host-` makes a browser take it from this very host alone, over a connection that nobody else can write to: no
 * subdomain and no plain connection can plant one.
 */
const NAME = '__Host-manilla_session';
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';
/** A header longer than this has not been written by us. */
const MAX_COOKIES_LENGTH = 8_192;

/** The secret of the session that a request names, if it names one. Of two with the name the first counts. */
export function sessionSecretOf(request: FastifyRequest): string | undefined {
  const header = request.headers.cookie;
  if (header === undefined || header.length > MAX_COOKIES_LENGTH) return undefined;
  for (const pair of header.split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === NAME) return value || undefined;
  }
  return undefined;
}

/** A secret is base64url, so nothing in it needs escaping. */
export function setSessionCookie(reply: FastifyReply, session: { secret: string; expiresAt: Date }): void {
  reply.header('set-cookie', `${NAME}=${session.secret}; ${ATTRIBUTES}; Expires=${session.expiresAt.toUTCString()}`);
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.header('set-cookie', `${NAME}=; ${ATTRIBUTES}; Max-Age=0`);
}
