import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * `__Host-` makes a browser take it from this very host alone, over a connection that nobody else can write to: no
 * subdomain and no plain connection can plant one.
 */
const NAME = '__Host-manilla_session';
/** What tells a browser from one that was never seen before. It signs nobody in. */
const DEVICE = '__Host-manilla_device';
/** As long as browsers keep one. */
const DEVICE_SECONDS = 400 * 24 * 60 * 60;
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';
/** A header longer than this has not been written by us. */
const MAX_COOKIES_LENGTH = 8_192;

/** The secret of the session that a request names, if it names one. Of two with the name the first counts. */
export function sessionSecretOf(request: FastifyRequest): string | undefined {
  return cookieOf(request, NAME);
}

/** The secret of the browser that a request comes from, if it has one. */
export function deviceSecretOf(request: FastifyRequest): string | undefined {
  return cookieOf(request, DEVICE);
}

function cookieOf(request: FastifyRequest, wanted: string): string | undefined {
  const header = request.headers.cookie;
  if (header === undefined || header.length > MAX_COOKIES_LENGTH) return undefined;
  for (const pair of header.split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === wanted) return value || undefined;
  }
  return undefined;
}

/** Secrets are base64url, so nothing in them needs escaping. */
export function setSessionCookie(
  reply: FastifyReply,
  session: { secret: string; expiresAt: Date; deviceSecret?: string },
): void {
  reply.header('set-cookie', `${NAME}=${session.secret}; ${ATTRIBUTES}; Expires=${session.expiresAt.toUTCString()}`);
  if (session.deviceSecret === undefined) return;
  reply.header('set-cookie', `${DEVICE}=${session.deviceSecret}; ${ATTRIBUTES}; Max-Age=${DEVICE_SECONDS}`);
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.header('set-cookie', `${NAME}=; ${ATTRIBUTES}; Max-Age=0`);
}
