import { timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import { MAX_DOCUMENT_BYTES } from '../platform/documents.ts';
import { takeDownload } from '../platform/exports.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { documentAnswers, sendStoredDocument } from '../platform/http/documents.ts';
import { acceptForms, FORM_OVERHEAD_BYTES, takeForm } from '../platform/http/forms.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { Secrets } from '../platform/secrets.ts';
import { documentLinkExpired, documentLinkInvalid, documentMissing } from './errors.ts';
import { documentIdOf } from './review-state.ts';
import { DocumentForm, DocumentLinkQuery, DocumentParams, DocumentSchema, OnboardingSchema } from './schemas.ts';
import {
  type DocumentDeps,
  FORM_LIMITS,
  readDocument,
  removeDocument,
  requireDocument,
  storeDocument,
  takeDocument,
} from './store-document.ts';
import { documentView, readOnboarding } from './views.ts';

/** From when the Merchant object is read. Long enough for a program that fetches what it just read. */
const LINK_LIFETIME_MS = 10 * 60_000;
const PURPOSE = 'document-link';

export interface LinkDeps {
  secrets: Secrets;
  clock: Clock;
}

interface Link {
  merchantId: string;
  documentId: string;
  /** Unix time in seconds. */
  expires: number;
}

/**
 * Where a program finds the documents of the Merchant object: our own under a signed link that expires, others as they are.
 * The signature opens nothing by itself: who follows the link needs the scope `merchant:read` as well.
 *
 * @param baseUrl of this service, without a slash at its end
 */
export function documentLinks(
  { secrets, clock }: LinkDeps,
  { merchantId, baseUrl }: { merchantId: string; baseUrl: string },
): (address: string) => string {
  const expires = Math.floor((clock.now().getTime() + LINK_LIFETIME_MS) / 1_000);
  return (address) => {
    const documentId = documentIdOf(address);
    if (documentId === undefined) return address;
    const signature = secrets.hmac(PURPOSE, textOf({ merchantId, documentId, expires }));
    return `${baseUrl}/merchant/document/${documentId}?expires=${expires}&signature=${signature}`;
  };
}

/** @throws AppError 403 `DOCUMENT_LINK_INVALID`, `DOCUMENT_LINK_EXPIRED` */
function requireLink({ secrets, clock }: LinkDeps, link: Link & { signature: string }): void {
  const given = Buffer.from(link.signature);
  const made = secrets.hmacs(PURPOSE, textOf(link)).map((one) => Buffer.from(one));
  if (!made.some((one) => one.length === given.length && timingSafeEqual(one, given))) throw documentLinkInvalid();
  if (link.expires * 1_000 <= clock.now().getTime()) throw documentLinkExpired();
}

const textOf = ({ merchantId, documentId, expires }: Link) => `${merchantId} ${documentId} ${expires}`;

const tags = ['Dashboard: onboarding'];
const mayEdit = { access: { scope: null, permission: 'profile:manage', beforeApproval: true } } as const;
const mayOpen = {
  access: { scope: null, permission: 'document:read', beforeApproval: true, audit: 'PERSONAL_DATA' },
} as const;

/** Documents for the review. They have a scope of their own, because a form is read in its own way. */
export function documentRoutes(deps: DocumentDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await acceptForms(app);
    app.post(
      '/onboarding/document',
      {
        config: mayEdit,
        bodyLimit: MAX_DOCUMENT_BYTES + FORM_OVERHEAD_BYTES,
        // A form is validated by the handler that reads it.
        validatorCompiler: () => () => true,
        schema: {
          tags,
          operationId: 'uploadDocument',
          summary: 'Add a document for the review',
          body: { content: { 'multipart/form-data': { schema: DocumentForm } } },
          response: answers(Success(DocumentSchema)),
        },
      },
      async (request, reply) => {
        if (!request.isMultipart()) throw documentMissing();
        const { tenant, member, keyId } = request.principal;
        const sender = { merchantId: tenant.merchantId, personId: member?.personId ?? keyId };
        const sent = await takeForm(request, FORM_LIMITS, (parts) =>
          takeDocument(parts, (bytes, limits) => deps.uploads.spool(sender.merchantId, bytes, limits)),
        );
        const stored = await storeDocument(deps, { ...sent, ...sender });
        return sendAnswer(reply, success('The document was added', documentView(stored, { acceptedAt: null })));
      },
    );
    await addRoutes(app, oneDocumentRoutes(deps));
  };
}

function oneDocumentRoutes(deps: DocumentDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/merchant/document/:documentId',
      {
        config: {
          access: { scope: 'merchant:read', own: true, audit: 'PERSONAL_DATA' },
          errorCodes: [
            'DOCUMENT_LINK_INVALID',
            'DOCUMENT_LINK_EXPIRED',
            'DOCUMENT_NOT_FOUND',
            'UPLOADS_BUSY',
            'EXPORTS_BUSY',
          ],
        },
        schema: {
          tags: ['Merchant'],
          operationId: 'downloadRegistrationDocument',
          summary: 'A registration document',
          description: 'Where cacDocuments of GET /merchant/info lead. A link expires after ten minutes.',
          params: DocumentParams,
          querystring: DocumentLinkQuery,
          response: documentAnswers,
        },
      },
      async (request, reply) => {
        const { merchantId } = request.principal.tenant;
        const { documentId } = request.params;
        // Another merchant's id is answered as one that nobody has, before anything is said of the link.
        await requireDocument(deps.database, { merchantId, documentId });
        requireLink(deps, { merchantId, documentId, ...request.query });
        return sendStoredDocument(reply, takeDownload(deps.database, merchantId), () =>
          readDocument(deps, { merchantId, documentId, caller: merchantId }),
        );
      },
    );
    app.get(
      '/onboarding/document/:documentId/content',
      {
        config: mayOpen,
        schema: {
          tags,
          operationId: 'downloadDocument',
          summary: 'A document as it was uploaded',
          params: DocumentParams,
          response: documentAnswers,
        },
      },
      async (request, reply) => {
        const { merchantId } = request.principal.tenant;
        const { documentId } = request.params;
        return sendStoredDocument(reply, takeDownload(deps.database, merchantId), () =>
          readDocument(deps, { merchantId, documentId, caller: merchantId }),
        );
      },
    );
    app.delete(
      '/onboarding/document/:documentId',
      {
        config: mayEdit,
        schema: {
          tags,
          operationId: 'deleteDocument',
          summary: 'Take a document away',
          params: DocumentParams,
          response: answers(Success(OnboardingSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId } = request.principal.tenant;
        await removeDocument(deps, merchantId, request.params.documentId);
        return sendAnswer(reply, success('The document was removed', await readOnboarding(deps, merchantId)));
      },
    );
  };
}
