import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { ExportFile } from '../exports.ts';

/** Whoever takes longer for a file is gone, or never wanted it. */
const MAX_SENDING_MS = 30 * 60_000;

/** The documented answers of a download. */
export const csvAnswers = {
  200: { description: 'A file for a spreadsheet, in UTF-8.', content: { 'text/csv': { schema: Type.String() } } },
};

/**
 * Sends a file of many rows with its length: what is cut on its way is shorter, and every client sees that.
 * @param name letters, digits, dots and dashes
 */
export function sendExport(reply: FastifyReply, name: string, file: ExportFile): FastifyReply {
  const stream = file.stream();
  const timer = setTimeout(() => stream.destroy(new Error('the download took too long')), MAX_SENDING_MS).unref();
  // A stream ends in this in any case: read to its end, or destroyed with the connection.
  stream.once('close', () => {
    clearTimeout(timer);
    file.close().catch((error: unknown) => reply.log.warn({ err: error }, 'an export could not be closed'));
  });
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('content-length', file.size)
    .send(stream);
}
