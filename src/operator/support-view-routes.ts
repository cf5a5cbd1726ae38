import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { sessionExpired } from '../access/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import { success } from '../platform/answer.ts';
import { answers, DateTime, Named, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import {
  closeSupportView,
  openSupportView,
  readSupportViews,
  SupportViewSchema,
  supportViewView,
} from '../support-views/index.ts';
import type { OperatorDeps } from './deps.ts';
import { DONE, Done, MerchantParams, ModeName, Reason } from './schemas.ts';

const TAGS = ['Operator: support'];

const OpenBody = Type.Object({ mode: ModeName(), reason: Reason() }, { additionalProperties: false });

const OpenedSchema = Named(
  'OpenedSupportView',
  Type.Object({
    supportViewId: Uuid(),
    token: Type.String({
      description:
        'Send it as X-Support-View with reads of the merchant’s operations. It opens nothing without your session.',
    }),
    expiresAt: DateTime(),
  }),
);

const ViewParams = Type.Object({ merchantId: Uuid(), supportViewId: Uuid() });

/** The pages of a merchant, read-only, as its own people see them. The merchant sees who opens them, when and why. */
export function supportViewRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/merchant/:merchantId/support-view',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listSupportViewsOfMerchant',
          summary: 'Who looked at a merchant’s pages, the last 50 times, newest first',
          params: MerchantParams,
          response: answers(Success(Type.Array(SupportViewSchema))),
        },
      },
      async (request, reply) => {
        const { merchantId } = request.params;
        await requireMerchant(deps.database, merchantId);
        const rows = await readSupportViews(deps, merchantId);
        return sendAnswer(reply, success('Success', rows.map(supportViewView)));
      },
    );
    app.post(
      '/operator/merchant/:merchantId/support-view',
      {
        config: { access: { operator: true, stepUp: true, named: true, audit: 'PERSONAL_DATA' } },
        schema: {
          tags: TAGS,
          operationId: 'openSupportView',
          summary: 'Open a merchant’s pages to read for an hour; its owners are notified',
          description:
            'In one mode. The merchant reads the reason and who it is, on its pages, in its audit log and by mail. ' +
            'Nothing can be changed in it, and it ends with your session.',
          params: MerchantParams,
          body: OpenBody,
          response: answers(Success(OpenedSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId } = request.params;
        const { mode, reason } = request.body;
        const session = request.signedIn;
        if (session === null) throw sessionExpired();
        const { row, token } = await openSupportView(deps, { tenant: { merchantId, mode }, session, reason });
        const expiresAt = row.expires_at.toISOString();
        request.auditSubject = { supportViewId: row.id, expiresAt };
        return sendAnswer(reply, success('The support view is open', { supportViewId: row.id, token, expiresAt }));
      },
    );
    app.post(
      '/operator/merchant/:merchantId/support-view/:supportViewId/end',
      {
        config: { access: { operator: true, named: true, audit: 'PERSONAL_DATA' } },
        schema: {
          tags: TAGS,
          operationId: 'endSupportView',
          summary: 'End a support view of one’s own before its time',
          params: ViewParams,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { personId } = request.operator;
        await closeSupportView(deps, { ...request.params, personId });
        return sendAnswer(reply, success('The support view has ended', DONE));
      },
    );
  };
}
