import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ExportFile } from '../exports.ts';

/**
 * A client that takes longer for a file has gone, or never wanted it. For a file of unknown length this is for each
 * piece.
 */
export const MAX_SENDING_MS = 30 * 60_000;

/** The documented answers of a download. */
export const csvAnswers = {
  200: { description: 'A file for a spreadsheet, in UTF-8.', content: { 'text/csv': { schema: Type.String() } } },
};

/**
 * Sends a file of many rows with its length: a file that is cut on its way is shorter, and every client sees that. A
 * file that is read as it is sent ends in a broken connection where it is cut.
 * @param name letters, digits, dots and dashes
 */
export function sendExport(reply: FastifyReply, name: string, file: ExportFile): FastifyReply {
  const stream = file.stream();
  const timer = setTimeout(() => stream.destroy(new Error('the download took too long')), MAX_SENDING_MS).unref();
  // A stream always ends in this event: read to its end, or destroyed with the connection.
  stream.once('close', () => {
    clearTimeout(timer);
    file.close().catch((error: unknown) => reply.log.warn({ err: error }, 'an export could not be closed'));
  });
  if (file.size === undefined) reply.raw.on('drain', () => timer.refresh());
  else reply.header('content-length', file.size);
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(stream);
}

/** Aborted where the client goes away before its answer has come, or has gone already. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (raw.destroyed) controller.abort();
  else raw.once('close', () => controller.abort());
  return controller.signal;
}

const compress = promisify(gzip);

/** A text that is made once and sent often: compressed beforehand, and not sent again to a client that has it. */
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

/**
 * Sends the file, or 304 to a client that has it, in an encoding that the client accepts.
 * @param caching as `Cache-Control` has it.
 */
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
