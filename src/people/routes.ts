import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { mustBeOperator, requireFullSession, sessionSecretOf, setSessionCookie, visitorOf } from '../access/index.ts';
import { readMail, readOutbox, type StoredMail } from '../mail/index.ts';
import { TypedPhoneNumber } from '../merchants/index.ts';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { isFromThisMachine } from '../platform/http/allowed-hosts.ts';
import { answers, DateTime, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { changePassword, forgotPassword, requireReset, resetPassword } from './change-password.ts';
import type { PeopleRoutesDeps } from './deps.ts';
import { mailNotFound } from './errors.ts';
import { invitationRoutes } from './member-routes.ts';
import { BusinessName, Email, Nothing, Password, PersonName, Token } from './schemas.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';
import {
  ownSessionsRoutes,
  secretOf,
  sendNewSecret,
  sessionOf,
  sessionRoutes,
  signInRoutes,
} from './session-routes.ts';
import { confirmSignUp, requireSignUp, signUp } from './sign-up.ts';

const mailTags = ['Dashboard: mail'];

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
 * The local outbox: what would have been mailed. While the outbox is open, anybody at this machine may read it;
 * otherwise only the operator's staff, and without the texts where a mail server delivers them.
 */
function outboxRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
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
          tags: mailTags,
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
          tags: mailTags,
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

const signInTags = ['Dashboard: signing in'];

const LookBody = Type.Object({ token: Token() }, { additionalProperties: false });
const ForgotBody = Type.Object({ email: Email() }, { additionalProperties: false });
const ResetSchema = Named(
  'PasswordReset',
  Type.Object({ email: Type.String({ description: 'The address of the account.' }) }),
);
const ResetBody = Type.Object({ token: Token(), password: Password() }, { additionalProperties: false });
const ChangeBody = Type.Object({ password: Password(), newPassword: Password() }, { additionalProperties: false });

/** The routes for a lost password. */
function lostPasswordRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/password/forgot',
      {
        config: { access: { session: 'OPEN' } },
        schema: {
          tags: signInTags,
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
      '/password/look',
      {
        config: { access: { session: 'OPEN' } },
        schema: {
          tags: signInTags,
          operationId: 'getPasswordReset',
          summary: 'Whose password a link of a mail replaces',
          body: LookBody,
          response: answers(Success(ResetSchema)),
        },
      },
      async (request, reply) => {
        const { email } = await requireReset(deps, request.body.token);
        return sendAnswer(reply, success('Success', { email }));
      },
    );
    app.post(
      '/password/reset',
      {
        config: { access: { session: 'OPEN' } },
        schema: {
          tags: signInTags,
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
  };
}

/** The route for a password that is known. */
function passwordRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/password/change',
      {
        config: { access: { session: 'FULL' } },
        schema: {
          tags: signInTags,
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

const SignUpBody = Type.Object({ email: Email() }, { additionalProperties: false });
const SignUpSchema = Named(
  'SignUp',
  Type.Object({ email: Type.String({ description: 'The address that the link confirms.' }) }),
);
const ConfirmBody = Type.Object(
  {
    token: Token(),
    password: Password(),
    businessName: BusinessName(),
    firstName: PersonName('Amaka'),
    lastName: PersonName('Obi'),
    phoneNumber: TypedPhoneNumber(),
  },
  { additionalProperties: false },
);

/** The routes by which a new business signs up. */
function signUpRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/sign-up',
      {
        config: { access: { session: 'OPEN' } },
        schema: {
          tags: signInTags,
          operationId: 'signUp',
          summary: 'Begin to sign a business up; a link to go on comes by mail',
          body: SignUpBody,
          response: answers(Success(Nothing)),
        },
      },
      async (request, reply) => {
        await signUp(deps, { ...request.body, visitor: visitorOf(request, deps.publicUrl) });
        return sendAnswer(reply, success('Check your e-mail.', null));
      },
    );
    app.post(
      '/sign-up/look',
      {
        config: { access: { session: 'OPEN' } },
        schema: {
          tags: signInTags,
          operationId: 'getSignUp',
          summary: 'Which address a link of a sign-up confirms',
          body: LookBody,
          response: answers(Success(SignUpSchema)),
        },
      },
      async (request, reply) => {
        const { email } = await requireSignUp(deps, request.body.token);
        return sendAnswer(reply, success('Success', { email }));
      },
    );
    app.post(
      '/sign-up/confirm',
      {
        config: { access: { session: 'OPEN' } },
        schema: {
          tags: signInTags,
          operationId: 'confirmSignUp',
          summary: 'Open an account with a confirmed address and a password of one’s own, and sign in',
          body: ConfirmBody,
          response: answers(Success(Nothing)),
        },
      },
      async (request, reply) => {
        const visitor = visitorOf(request, deps.publicUrl);
        const input = { ...request.body, visitor, secretBefore: sessionSecretOf(request) };
        setSessionCookie(reply, await confirmSignUp(deps, input));
        return sendAnswer(reply, success('Welcome to Manilla.', null));
      },
    );
  };
}

/** The routes that sign a person in and out, and those of the person's own session. */
export function peopleRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await addRoutes(
      app,
      signUpRoutes(deps),
      signInRoutes(deps),
      sessionRoutes(deps),
      ownSessionsRoutes(deps),
      lostPasswordRoutes(deps),
      passwordRoutes(deps),
      secondFactorRoutes(deps),
      invitationRoutes(deps),
    );
    await app.register(outboxRoutes(deps));
  };
}
