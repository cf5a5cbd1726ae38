import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';

/** The documented answers of a route that serves a file of one of these types. */
export const documentAnswersOf = (description: string, types: readonly string[]) => ({
  200: {
    description,
    content: Object.fromEntries(
      types.map((type) => [type, { schema: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) }]),
    ),
  },
});

/** The same of a route that serves what somebody uploaded. */
export const documentAnswers = documentAnswersOf('The document, to save.', [
  'application/pdf',
  'image/png',
  'image/jpeg',
]);

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
