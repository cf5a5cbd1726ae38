import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import { answers, Named, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { PeopleRoutesDeps } from './deps.ts';
import { CodeBody, Nothing } from './schemas.ts';
import { disableSecondFactor, enableSecondFactor, renewRecoveryCodes, startSecondFactor } from './second-factor.ts';
import { sessionOf } from './session-routes.ts';

const tags = ['Dashboard: signing in'];

const StartedSchema = Named(
  'Started',
  Type.Object({
    secret: Type.String({ description: 'To type into an authenticator app.' }),
    uri: Type.String({ description: 'The same, for a QR code.' }),
  }),
);
const RecoveryCodesSchema = Named(
  'RecoveryCodes',
  Type.Object({
    recoveryCodes: Type.Array(Type.String(), { description: 'Shown once. Each signs in once, in place of a code.' }),
  }),
);

/** The routes of a person's own second factor. */
export function secondFactorRoutes(deps: PeopleRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/second-factor/start',
      {
        config: { access: { session: 'FULL', stepUp: true } },
        schema: {
          tags,
          operationId: 'startSecondFactor',
          summary: 'Begin turning the second factor on',
          response: answers(Success(StartedSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await startSecondFactor(deps, sessionOf(request)))),
    );
    app.post(
      '/second-factor/enable',
      {
        config: { access: { session: 'FULL' } },
        schema: {
          tags,
          operationId: 'enableSecondFactor',
          summary: 'Turn the second factor on with the first code of the app',
          body: CodeBody,
          response: answers(Success(RecoveryCodesSchema)),
        },
      },
      async (request, reply) => {
        const recoveryCodes = await enableSecondFactor(deps, sessionOf(request), request.body.code);
        return sendAnswer(reply, success('Your second factor is on.', { recoveryCodes }));
      },
    );
    app.post(
      '/second-factor/disable',
      {
        config: { access: { session: 'FULL', stepUp: true } },
        schema: {
          tags,
          operationId: 'disableSecondFactor',
          summary: 'Turn the second factor off',
          response: answers(Success(Nothing)),
        },
      },
      async (request, reply) => {
        await disableSecondFactor(deps, sessionOf(request));
        return sendAnswer(reply, success('Your second factor is off.', null));
      },
    );
    app.post(
      '/second-factor/recovery-codes',
      {
        config: { access: { session: 'FULL', stepUp: true } },
        schema: {
          tags,
          operationId: 'createRecoveryCodes',
          summary: 'Make new recovery codes; the ones before stop counting',
          response: answers(Success(RecoveryCodesSchema)),
        },
      },
      async (request, reply) => {
        const recoveryCodes = await renewRecoveryCodes(deps, sessionOf(request));
        return sendAnswer(reply, success('Success', { recoveryCodes }));
      },
    );
  };
}
