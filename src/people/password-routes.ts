import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { visitorOf } from '../access/index.ts';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { changePassword, forgotPassword, resetPassword } from './change-password.ts';
import type { PeopleRoutesDeps } from './deps.ts';
import { Token } from './member-schemas.ts';
import { secretOf, sendNewSecret, sessionOf } from './session-routes.ts';
import { Email, Nothing, Password } from './session-schemas.ts';

const tags = ['Dashboard: signing in'];

const ForgotBody = Type.Object({ email: Email() }, { additionalProperties: false });
const ResetBody = Type.Object({ token: Token(), password: Password() }, { additionalProperties: false });
const ChangeBody = Type.Object({ password: Password(), newPassword: Password() }, { additionalProperties: false });

/** A password that is lost, and one that is known. */
export function passwordRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/password/forgot',
      {
        config: { access: { session: 'OPEN' } },
        schema: {
          tags,
          operationId: 'requestPasswordReset',
          summary: 'Ask for a link to choose a new password',
          body: ForgotBody,
          response: answers(Success(Nothing)),
        },
      },
      async (request, reply) => {
        await forgotPassword(deps, { email: request.body.email, visitor: visitorOf(request, deps.publicUrl) });
        return sendAnswer(reply, success('Check your e-mail.', null));
      },
    );
    app.post(
      '/password/reset',
      {
        config: { access: { session: 'OPEN' } },
        schema: {
          tags,
          operationId: 'resetPassword',
          summary: 'Choose a new password with the link of a mail',
          body: ResetBody,
          response: answers(Success(Nothing)),
        },
      },
      async (request, reply) => {
        const { token, password } = request.body;
        await resetPassword(deps, { token, password, visitor: visitorOf(request, deps.publicUrl) });
        return sendAnswer(reply, success('Your password is changed. Sign in with the new one.', null));
      },
    );
    app.post(
      '/password/change',
      {
        config: { access: { session: 'FULL' } },
        schema: {
          tags,
          operationId: 'changePassword',
          summary: 'Change your password; your other sessions end',
          body: ChangeBody,
          response: answers(Success(Nothing)),
        },
      },
      async (request, reply) => {
        const session = sessionOf(request);
        const { secret } = await changePassword(deps, { session, secret: secretOf(request), ...request.body });
        sendNewSecret(reply, session, secret);
        return sendAnswer(reply, success('Your password is changed.', null));
      },
    );
  };
}
