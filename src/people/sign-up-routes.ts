import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { sessionSecretOf, setSessionCookie, visitorOf } from '../access/index.ts';
import { TypedPhoneNumber } from '../merchants/index.ts';
import { success } from '../platform/answer.ts';
import { answers, Named, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { PeopleRoutesDeps } from './deps.ts';
import { BusinessName, PersonName, Token } from './member-schemas.ts';
import { Email, Nothing, Password } from './session-schemas.ts';
import { confirmSignUp, requireSignUp, signUp } from './sign-up.ts';

const tags = ['Dashboard: signing in'];

const SignUpBody = Type.Object({ email: Email() }, { additionalProperties: false });
const LookBody = Type.Object({ token: Token() }, { additionalProperties: false });
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

/** From nothing to a business of one's own. */
export function signUpRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/sign-up',
      {
        config: { access: { session: 'OPEN' } },
        schema: {
          tags,
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
          tags,
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
          tags,
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
