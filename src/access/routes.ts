import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import { answers, Named, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { Secrets } from '../platform/secrets.ts';
import { SCOPES } from './roles.ts';
import { issueToken } from './token.ts';

const TokenBody = Type.Object(
  {
    scopes: Type.Optional(
      Type.Array(Type.Enum(Object.keys(SCOPES)), {
        minItems: 1,
        maxItems: Object.keys(SCOPES).length,
        description: 'What the token may do; everything that the key may do when left out.',
        examples: [['wallet:read', 'transaction:read']],
      }),
    ),
  },
  { additionalProperties: false },
);

const TokenSchema = Named(
  'Token',
  Type.Object({
    accessToken: Type.String({ description: 'Send it as the bearer, in place of the key.' }),
    tokenType: Type.Literal('Bearer'),
    expiresIn: Type.Integer({ description: 'Seconds.', examples: [900] }),
    scope: Type.String({ description: 'Separated by spaces.', examples: ['wallet:read transaction:read'] }),
  }),
);

/** A token changes nothing and is a secret, so an idempotency key is not kept for it: each request makes a new one. */
export function tokenRoutes(deps: { secrets: Secrets; clock: Clock }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/auth/token',
      {
        config: {
          idempotent: false,
          access: { scope: null, beforeApproval: true },
          errorCodes: ['SCOPE_NOT_GRANTED', 'KEY_TYPE_NOT_ALLOWED'],
        },
        schema: {
          tags: ['Access'],
          operationId: 'createToken',
          summary: 'Turn a secret key into a short-lived token with the same or fewer scopes',
          description:
            'The token lives for some minutes and can do at most what the key can. Give it to a program that must not hold the key.',
          body: TokenBody,
          response: answers(Success(TokenSchema)),
        },
      },
      async (request, reply) => {
        const { token, expiresInSeconds, scopes } = await issueToken(deps, request.principal, request.body.scopes);
        const data = { accessToken: token, tokenType: 'Bearer', expiresIn: expiresInSeconds, scope: scopes.join(' ') };
        return sendAnswer(reply, success('Success', data));
      },
    );
  };
}
