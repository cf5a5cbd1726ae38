import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { csrfRefused } from './errors.ts';
import type { Sessions } from './session.ts';

/** Reads change nothing, and a link from anywhere may open them. */
export function isRead(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

/**
 * A browser says where a request comes from; what it says must be us. Programs that are no browser say nothing.
 * @param publicUrl the address under which people reach the service, where one is set.
 * @throws AppError 403 `CSRF_REFUSED`.
 */
export function requireOwnPage(request: FastifyRequest, publicUrl: string | undefined): void {
  if (isRead(request)) return;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw csrfRefused();
  const { origin } = request.headers;
  if (origin !== undefined && !isOurs(origin, request, publicUrl)) throw csrfRefused();
}

/** A page cannot choose the Host of its requests, so an origin that agrees with it is the page's own server: us. */
function isOurs(origin: string, request: FastifyRequest, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  if (publicUrl !== undefined && new URL(origin).origin === new URL(publicUrl).origin) return true;
  return new URL(origin).host === request.host;
}

/** @throws AppError 403 `CSRF_REFUSED` where the request lacks its session's token. */
export function requireCsrfToken(request: FastifyRequest, sessions: Sessions, sessionId: string): void {
  if (isRead(request)) return;
  const given = Buffer.from(String(request.headers['x-csrf-token'] ?? ''));
  const isTheirs = sessions.csrfTokens(sessionId).some((token) => {
    const expected = Buffer.from(token);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isTheirs) throw csrfRefused();
}
