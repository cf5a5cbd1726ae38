import { finished } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { hasActiveContent } from '../active-pdf.ts';
import { AppError } from '../errors.ts';
import { MAX_SENDING_MS } from './stored-file.ts';

/** The documented answers of a route that serves a file of one of these types. */
export const documentAnswersOf = (description: string, types: readonly string[]) => ({
  200: {
    description,
    content: Object.fromEntries(
      types.map((type) => [type, { schema: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) }]),
    ),
  },
});

/** The same for a route that serves what somebody uploaded. */
export const documentAnswers = documentAnswersOf('The document, to save.', [
  'application/pdf',
  'image/png',
  'image/jpeg',
]);

interface StoredDocument {
  fileName: string;
  contentType: string;
  content: Buffer;
}

/** A document is saved and never shown as a page of ours: nothing in it may run here. */
export function sendDocument(reply: FastifyReply, document: StoredDocument): FastifyReply {
  return named(reply, document, 'attachment')
    .header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
    .send(document.content);
}

/**
 * Sends a stored document. It is in memory until the client has read it: so it has a place among the files of its
 * owner, and is cut where it takes too long.
 * @param leave frees the place
 * @param send as a file to save, or to be shown
 */
export async function sendStoredDocument(
  reply: FastifyReply,
  leave: () => void,
  read: () => Promise<StoredDocument>,
  send: (reply: FastifyReply, document: StoredDocument) => FastifyReply | Promise<FastifyReply> = sendDocument,
): Promise<FastifyReply> {
  const timer = setTimeout(() => reply.raw.destroy(), MAX_SENDING_MS).unref();
  finished(reply.raw, () => {
    clearTimeout(timer);
    leave();
  });
  return send(reply, await read());
}

/**
 * Browsers show no PDF in a sandbox, so there is none: nothing else is allowed, no script of any origin, and only a
 * page of ours may frame it.
 */
const PDF_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'";
const IMAGE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'self'";

/**
 * Shows a document in a frame of a page, as the type that its first bytes have and no other. A PDF that holds more than
 * pages is not shown: it would run in the reader's viewer.
 * @throws AppError 422 `DOCUMENT_NOT_SHOWN`.
 */
export async function showDocument(reply: FastifyReply, document: StoredDocument): Promise<FastifyReply> {
  const isPdf = document.contentType === 'application/pdf';
  if (isPdf && (await hasActiveContent(document.content))) throw documentNotShown();
  return named(reply, document, 'inline')
    .header('x-frame-options', 'SAMEORIGIN')
    .header('content-security-policy', isPdf ? PDF_POLICY : IMAGE_POLICY)
    .header('cross-origin-resource-policy', 'same-origin')
    .send(document.content);
}

const documentNotShown = () =>
  new AppError(
    'refused',
    'DOCUMENT_NOT_SHOWN',
    'This PDF holds more than pages, such as a script, a link or a file, or cannot be read. Save it and open it with care.',
  );

function named(reply: FastifyReply, document: StoredDocument, disposition: 'attachment' | 'inline'): FastifyReply {
  const plain = document.fileName.replaceAll(/[^\x20-\x7e]|["\\]/g, '_');
  const exact = encodeURIComponent(document.fileName).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return reply
    .header('content-type', document.contentType)
    .header('content-disposition', `${disposition}; filename="${plain}"; filename*=UTF-8''${exact}`);
}
