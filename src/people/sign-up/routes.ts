import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { sessionSecretOf, setSessionCookie, visitorOf } from '../../access/index.ts';
import { TypedPhoneNumber } from '../../merchants/index.ts';
import { success } from '../../platform/answer.ts';
import { answers, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import type { PeopleRoutesDeps } from '../deps.ts';
import { BusinessName, PersonName, Token } from '../links/schemas.ts';
import { Email, Nothing, Password } from '../sessions/schemas.ts';
import { confirmSignUp } from './confirm-sign-up.ts';
import { signUp } from './sign-up.ts';

const tags = ['Dashboard: signing in'];

const SignUpBody = Type.Object(
  {
    email: Email(),
    password: Password(),
    businessName: BusinessName(),
    firstName: PersonName('Amaka'),
    lastName: PersonName('Obi'),
    phoneNumber: TypedPhoneNumber(),
  },
  { additionalProperties: false },
);
const ConfirmBody = Type.Object({ token: Token() }, { additionalProperties: false });

/** From nothing to a business of one's own. */
export function signUpRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/sign-up',
      {
        config: { access: { session: 'OPEN' } },
        schema: {
          tags,
          summary: 'Sign a business up; a link to confirm the address comes by mail',
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
      '/sign-up/confirm',
      {
        config: { access: { session: 'OPEN' } },
        schema: {
          tags,
          summary: 'Confirm the address of a sign-up, and sign in',
          body: ConfirmBody,
          response: answers(Success(Nothing)),
        },
      },
      async (request, reply) => {
        const visitor = visitorOf(request, deps.publicUrl);
        const input = { token: request.body.token, visitor, secretBefore: sessionSecretOf(request) };
        setSessionCookie(reply, await confirmSignUp(deps, input));
        return sendAnswer(reply, success('Welcome to Manilla.', null));
      },
    );
  };
}
