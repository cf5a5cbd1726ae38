import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import { MAX_DOCUMENT_BYTES } from '../platform/documents.ts';
import { documentAnswers, sendDocument } from '../platform/http/documents.ts';
import { acceptForms, takeForm } from '../platform/http/forms.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { requireLink } from './document-links.ts';
import { documentMissing } from './errors.ts';
import { DocumentForm, DocumentLinkQuery, DocumentParams, DocumentSchema, OnboardingSchema } from './schemas.ts';
import { type DocumentDeps, readDocument, removeDocument, requireDocument, storeDocument } from './store-document.ts';
import { FORM_LIMITS, takeDocument } from './take-document.ts';
import { documentView, readOnboarding } from './views.ts';

const tags = ['Dashboard: onboarding'];
const mayEdit = { access: { scope: null, permission: 'profile:manage', beforeApproval: true } } as const;
const mayOpen = {
  access: { scope: null, permission: 'document:read', beforeApproval: true, audit: 'PERSONAL_DATA' },
} as const;
/** What a form needs around its file. */
const FORM_OVERHEAD_BYTES = 64 * 1024;

/** Documents for the review. They have a scope of their own, because a form is read in its own way. */
export function documentRoutes(deps: DocumentDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await acceptForms(app);
    app.post(
      '/onboarding/document',
      {
        config: mayEdit,
        bodyLimit: MAX_DOCUMENT_BYTES + FORM_OVERHEAD_BYTES,
        // A form is looked at by whoever takes it in.
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
    await app.register(oneDocumentRoutes(deps));
  };
}

function oneDocumentRoutes(deps: DocumentDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/merchant/document/:documentId',
      {
        config: {
          access: { scope: 'merchant:read', own: true, audit: 'PERSONAL_DATA' },
          errorCodes: ['DOCUMENT_LINK_INVALID', 'DOCUMENT_LINK_EXPIRED', 'DOCUMENT_NOT_FOUND', 'UPLOADS_BUSY'],
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
        return sendDocument(reply, await readDocument(deps, { merchantId, documentId, caller: merchantId }));
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
        return sendDocument(reply, await readDocument(deps, { merchantId, documentId, caller: merchantId }));
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
