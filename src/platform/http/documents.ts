import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';

/** The documented answers of a route that serves a document. */
export const documentAnswers = {
  200: {
    description: 'The document, to save.',
    content: Object.fromEntries(
      ['application/pdf', 'image/png', 'image/jpeg'].map((type) => [
        type,
        { schema: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) },
      ]),
    ),
  },
};

/** A document is saved and never shown as a page of ours: whatever is in it may run nothing here. */
export function sendDocument(
  reply: FastifyReply,
  document: { fileName: string; contentType: string; content: Buffer },
): FastifyReply {
  const plain = document.fileName.replaceAll(/[^\x20-\x7e]|["\\]/g, '_');
  const exact = encodeURIComponent(document.fileName).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return reply
    .header('content-type', document.contentType)
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${exact}`)
    .header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
    .send(document.content);
}
