import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { mustBeOperator, requireFullSession } from '../access/index.ts';
import { readMail, readOutbox, type StoredMail } from '../mail/index.ts';
import { success } from '../platform/answer.ts';
import { isFromThisMachine } from '../platform/http/allowed-hosts.ts';
import { answers, DateTime, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { PeopleRoutesDeps } from './deps.ts';
import { mailNotFound } from './errors.ts';

const tags = ['Dashboard: mail'];

const MailSchema = Named(
  'Mail',
  Type.Object({
    mailId: Uuid(),
    to: Type.String(),
    subject: Type.String(),
    text: Type.String(),
    at: DateTime(),
    sentAt: Nullable(DateTime('When the mail server took it.')),
    link: Nullable(Type.String()),
  }),
);
const MailParams = Type.Object({ mailId: Uuid() });

/**
 * The local outbox: what would have been mailed. Where all is play, whoever is at this machine may read it; else only the
 * operator's staff, and without the texts where a mail server delivers them.
 */
export function outboxRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  const { database, secrets } = deps;
  const outbox = { queries: database, secrets, showsTexts: !deps.outbox.hasMailServer };
  return async (app) => {
    app.addHook('onRequest', async (request) => {
      if (isFromThisMachine(request) && (await deps.outbox.isOpen())) return;
      if ((await requireFullSession(request, deps)).kind !== 'OPERATOR') throw mustBeOperator();
    });
    app.get(
      '/mail',
      {
        config: { access: { session: 'OPEN', audit: 'PERSONAL_DATA' } },
        schema: {
          tags,
          operationId: 'listMails',
          summary: 'The newest mails',
          response: answers(Success(Type.Array(MailSchema))),
        },
      },
      async (_request, reply) => sendAnswer(reply, success('Success', (await readOutbox(outbox)).map(mailView))),
    );
    app.get(
      '/mail/:mailId',
      {
        config: { access: { session: 'OPEN', audit: 'PERSONAL_DATA' } },
        schema: {
          tags,
          operationId: 'getMail',
          summary: 'One mail',
          params: MailParams,
          response: answers(Success(MailSchema)),
        },
      },
      async (request, reply) => {
        const mail = await readMail(outbox, request.params.mailId);
        if (mail === undefined) throw mailNotFound();
        return sendAnswer(reply, success('Success', mailView(mail)));
      },
    );
  };
}

function mailView({ id, at, sentAt, ...mail }: StoredMail): Static<typeof MailSchema> {
  return { mailId: id, ...mail, at: at.toISOString(), sentAt: sentAt?.toISOString() ?? null };
}
