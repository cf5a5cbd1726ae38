import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import {
  AnnouncementBody,
  AnnouncementParams,
  type AnnouncementRow,
  AnnouncementSchema,
  announcementView,
  changeAnnouncement,
  createAnnouncement,
  endAnnouncement,
  publishAnnouncement,
  readAnnouncements,
  readAudiences,
} from '../announcements/index.ts';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import type { OperatorDeps } from './deps.ts';

const TAGS = ['Operator: announcements'];
/** Room for two hundred ids, and for a text in which every character may be written as six. */
const BODY_LIMIT = 32 * 1024;
const writes = { access: { operator: true, audit: 'SETTINGS' } } as const;
const publishes = { access: { operator: true, stepUp: true, audit: 'SETTINGS' } } as const;
const response = answers(Success(AnnouncementSchema));

/** What the operator's staff write to merchants. A draft is seen by nobody else. */
export function announcementRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  async function answer(reply: FastifyReply, message: string, row: AnnouncementRow): Promise<FastifyReply> {
    reply.request.auditSubject = { announcementId: row.id };
    const audience = (await readAudiences(deps.database, [row])).get(row.id);
    return sendAnswer(reply, success(message, announcementView(row, audience, deps.clock.now())));
  }

  return async (app) => {
    app.get(
      '/operator/announcement',
      {
        config: { access: { operator: true, impersonal: true } },
        schema: {
          tags: TAGS,
          operationId: 'listAnnouncements',
          summary: 'The announcements, newest first',
          querystring: Type.Object(listQuery(), { additionalProperties: false }),
          response: answers(Success(ListPage(AnnouncementSchema))),
        },
      },
      async (request, reply) => {
        const found = await readAnnouncements(deps.database, listRequest(request.query));
        const audiences = await readAudiences(deps.database, found.rows);
        const now = deps.clock.now();
        const page = listView(found, (row) => announcementView(row, audiences.get(row.id), now));
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.post(
      '/operator/announcement',
      {
        config: writes,
        bodyLimit: BODY_LIMIT,
        schema: {
          tags: TAGS,
          operationId: 'createAnnouncement',
          summary: 'Write an announcement, as a draft',
          body: AnnouncementBody,
          response,
        },
      },
      async (request, reply) => {
        const row = await createAnnouncement(deps, { by: request.operator.email, fields: request.body });
        return answer(reply, 'The draft is kept', row);
      },
    );
    app.patch(
      '/operator/announcement/:announcementId',
      {
        config: publishes,
        bodyLimit: BODY_LIMIT,
        schema: {
          tags: TAGS,
          operationId: 'updateAnnouncement',
          summary: 'Change an announcement that has not ended',
          description: 'People who dismissed a published one see it again.',
          params: AnnouncementParams,
          body: AnnouncementBody,
          response,
        },
      },
      async (request, reply) => {
        const input = { ...request.params, by: request.operator.email, fields: request.body };
        return answer(reply, 'The announcement is changed', await changeAnnouncement(deps, input));
      },
    );
    await addRoutes(app, stateRoutes(deps, answer));
  };
}

type Answer = (reply: FastifyReply, message: string, row: AnnouncementRow) => Promise<FastifyReply>;

function stateRoutes(deps: OperatorDeps, answer: Answer): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/operator/announcement/:announcementId/publish',
      {
        config: publishes,
        schema: {
          tags: TAGS,
          operationId: 'publishAnnouncement',
          summary: 'Show an announcement to its merchants, as soon as its time has come',
          params: AnnouncementParams,
          response,
        },
      },
      async (request, reply) => {
        const row = await publishAnnouncement(deps, { ...request.params, by: request.operator.email });
        return answer(reply, 'The announcement is published', row);
      },
    );
    app.post(
      '/operator/announcement/:announcementId/end',
      {
        config: writes,
        schema: {
          tags: TAGS,
          operationId: 'endAnnouncement',
          summary: 'Show an announcement to nobody any more, or discard a draft',
          params: AnnouncementParams,
          response,
        },
      },
      async (request, reply) => {
        const row = await endAnnouncement(deps, { ...request.params, by: request.operator.email });
        return answer(reply, 'The announcement has ended', row);
      },
    );
  };
}
