import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(gzip);

/** A text that is made once and sent often: compressed beforehand, and not again to who has it. */
export interface StoredFile {
  /** With its `charset`. */
  type: string;
  etag: string;
  plain: Buffer;
  gzipped: Buffer;
}

export async function storeFile(type: string, content: string | Buffer): Promise<StoredFile> {
  const plain = Buffer.from(content);
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { type: `${type}; charset=utf-8`, etag, plain, gzipped: await compress(plain, { level: 9 }) };
}

/** Sends the file, or 304 to who has it, in the form that the client takes. @param caching as `Cache-Control` has it. */
export function sendStored(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  caching: string,
): FastifyReply {
  reply.headers({ etag: file.etag, vary: 'accept-encoding', 'cache-control': caching });
  if (request.headers['if-none-match']?.includes(file.etag) === true) return reply.code(304).send();
  reply.header('content-type', file.type);
  if (!takesGzip(request)) return reply.send(file.plain);
  return reply.header('content-encoding', 'gzip').send(file.gzipped);
}

function takesGzip({ headers }: FastifyRequest): boolean {
  const accepted = headers['accept-encoding'] ?? '';
  return /\bgzip\b(?!\s*;\s*q=0(\.0+)?\b(?!\.))/i.test(String(accepted));
}
