import type { FastifyRequest } from 'fastify';
import { deviceSecretOf } from './session-cookie.ts';

/** Where a request came from, as it is kept with a session and in the audit log. */
export interface Visitor {
  ip: string;
  userAgent: string;
  requestId: string;
  /** The address of this service as the visitor can reach it: links in mails begin with it. */
  baseUrl: string;
  /** What the browser keeps so that it is known again; it signs nobody in. */
  deviceSecret?: string | undefined;
}

/** @param publicUrl as `baseUrlOf` has it */
export function visitorOf(request: FastifyRequest, publicUrl: string | undefined): Visitor {
  return {
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    requestId: request.id,
    baseUrl: baseUrlOf(request, publicUrl),
    deviceSecret: deviceSecretOf(request),
  };
}

/**
 * What a link to this service begins with.
 * @param publicUrl the address under which people reach the service. Without it links lead to the socket that the request
 *   came in by; the Host header is a stranger's word, and a link made from it would lead to the stranger.
 */
export function baseUrlOf(request: FastifyRequest, publicUrl: string | undefined): string {
  return (publicUrl ?? ownAddress(request)).replace(/\/+$/, '');
}

function ownAddress({ socket }: FastifyRequest): string {
  const address = (socket.localAddress ?? '127.0.0.1').replace(/^::ffff:(?=\d+\.)/, '');
  const host = address.includes(':') ? `[${address}]` : address;
  return socket.localPort === undefined ? `http://${host}` : `http://${host}:${socket.localPort}`;
}
