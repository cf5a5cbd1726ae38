import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { dismissAnnouncement, readShown } from './read-announcements.ts';
import { AnnouncementParams, ShownAnnouncementSchema } from './schemas.ts';
import { shownView } from './views.ts';
import type { AnnouncementDeps } from './write-announcement.ts';

const tags = ['Dashboard: what happened'];
const access = { scope: null, person: true, beforeApproval: true } as const;

/** Whose announcements these are. The guard lets people in alone. */
function readerOf({ principal: { tenant, member, keyId } }: FastifyRequest) {
  return { merchantId: tenant.merchantId, personId: member?.personId ?? keyId };
}

/** What the operator tells a merchant's people. */
export function announcementRoutes(deps: AnnouncementDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/announcement',
      {
        config: { access },
        schema: {
          tags,
          operationId: 'listShownAnnouncements',
          summary: 'What the operator announces and you have not dismissed, the gravest first',
          response: answers(Success(Type.Array(ShownAnnouncementSchema))),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', (await readShown(deps, readerOf(request))).map(shownView))),
    );
    app.post(
      '/announcement/:announcementId/dismiss',
      {
        config: { access },
        schema: {
          tags,
          operationId: 'dismissAnnouncement',
          summary: 'Do not show an announcement to you again, unless it is changed',
          params: AnnouncementParams,
          response: answers(Success(Type.Null({ description: 'There is nothing to say.' }))),
        },
      },
      async (request, reply) => {
        await dismissAnnouncement(deps, { ...readerOf(request), ...request.params });
        return sendAnswer(reply, success('You do not see it again.', null));
      },
    );
  };
}
