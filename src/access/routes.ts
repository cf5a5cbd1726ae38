import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { answers, Named, Pin, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Tenant } from '../platform/tenant.ts';
import { requirePerson } from './authorize.ts';
import { type KeyDeps, revokeApiKey } from './issue-api-key.ts';
import { keyView, listApiKeys } from './list-api-keys.ts';
import { changeKey, type Maker, makeKey, makeReferenceKey, rotateKey } from './make-key.ts';
import type { PinGuard } from './pin.ts';
import { nameOfCaller } from './principal.ts';
import { SCOPES } from './roles.ts';
import {
  KeyChangesBody,
  KeyParams,
  KeySchema,
  NewKeyBody,
  NewKeySchema,
  PinStateSchema,
  RotatedKeySchema,
  RotateKeyBody,
} from './schemas.ts';
import { issueToken } from './token.ts';

const TokenBody = Type.Object(
  {
    scopes: Type.Optional(
      Type.Array(Type.Enum([...SCOPES]), {
        minItems: 1,
        maxItems: SCOPES.length,
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

/**
 * A token changes nothing and is a secret, so no answer is kept under an idempotency key: each request makes a new
 * token.
 */
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

const keyTags = ['Dashboard: API keys'];
const mayRead = { access: { scope: null, permission: 'key:read', beforeApproval: true } } as const;
/**
 * The password is asked for again where a key is handed out or given more. Revoking one needs no more than managing
 * keys: it only takes power away.
 */
const mayManage = { access: { scope: null, permission: 'key:manage', beforeApproval: true, stepUp: true } } as const;
const mayRevoke = { access: { scope: null, permission: 'key:manage', beforeApproval: true } } as const;

/** The keys of the mode that the person is in. No answer is kept under an idempotency key: it would store the key. */
export function keyRoutes(deps: KeyDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/key',
      {
        config: mayRead,
        schema: {
          tags: keyTags,
          operationId: 'listKeys',
          summary: 'The API keys of this mode, newest first',
          response: answers(Success(Type.Array(KeySchema))),
        },
      },
      async (request, reply) => {
        const { merchantId, mode } = request.principal.tenant;
        const keys = await listApiKeys({ queries: deps.database, clock: deps.clock }, merchantId, mode);
        return sendAnswer(reply, success('Success', keys.map(keyView)));
      },
    );
    app.post(
      '/key',
      {
        config: mayManage,
        schema: {
          tags: keyTags,
          operationId: 'createKey',
          summary: 'Make an API key; it is shown this once',
          body: NewKeyBody,
          response: answers(Success(NewKeySchema)),
        },
      },
      async (request, reply) => {
        const { key, row } = await makeKey(deps, makerOf(request), request.body);
        request.auditSubject = { keyId: row.id };
        return sendAnswer(
          reply,
          success('The key was made. Keep it now: it is not shown again.', { key, ...keyView(row) }),
        );
      },
    );
    await addRoutes(app, oneKeyRoutes(deps));
    app.post(
      '/key/reference',
      {
        config: { access: { scope: 'payout:read', person: true, audit: 'KEYS' } },
        schema: {
          tags: keyTags,
          operationId: 'createReferenceKey',
          summary: 'Make a sandbox key for a day, to try the API reference with',
          response: answers(Success(NewKeySchema)),
        },
      },
      async (request, reply) => {
        const { key, row } = await makeReferenceKey(deps, makerOf(request));
        request.auditSubject = { keyId: row.id };
        return sendAnswer(reply, success('Success', { key, ...keyView(row) }));
      },
    );
  };
}

function oneKeyRoutes(deps: KeyDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/key/:keyId/rotate',
      {
        config: mayManage,
        schema: {
          tags: keyTags,
          operationId: 'rotateKey',
          summary: 'Make a new key like an old one, which ends after an overlap',
          params: KeyParams,
          body: RotateKeyBody,
          response: answers(Success(RotatedKeySchema)),
        },
      },
      async (request, reply) => {
        const input = { keyId: request.params.keyId, overlapSeconds: request.body.overlapSeconds };
        const { key, row, oldEndsAt } = await rotateKey(deps, makerOf(request), input);
        request.auditSubject = { newKeyId: row.id };
        const data = { key, ...keyView(row), oldEndsAt: oldEndsAt.toISOString() };
        return sendAnswer(reply, success('The new key was made. Keep it now: it is not shown again.', data));
      },
    );
    app.post(
      '/key/:keyId/revoke',
      {
        config: mayRevoke,
        schema: {
          tags: keyTags,
          operationId: 'revokeKey',
          summary: 'End a key and its tokens within two seconds',
          params: KeyParams,
          response: answers(Success(Type.Object({ keyId: Type.String() }))),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        await revokeApiKey({ queries: deps.database, clock: deps.clock }, { ...tenant, ...request.params });
        return sendAnswer(reply, success('The key was revoked', { keyId: request.params.keyId }));
      },
    );
    app.patch(
      '/key/:keyId',
      {
        config: mayManage,
        schema: {
          tags: keyTags,
          operationId: 'updateKey',
          summary: 'Rename a key, or change where it may be used from',
          params: KeyParams,
          body: KeyChangesBody,
          response: answers(Success(KeySchema)),
        },
      },
      async (request, reply) => {
        const row = await changeKey(deps, makerOf(request), { ...request.params, ...request.body });
        return sendAnswer(reply, success('The key was changed', keyView(row)));
      },
    );
  };
}

function makerOf({ principal }: FastifyRequest): Maker {
  return { principal, member: requirePerson(principal, undefined) };
}

const pinTags = ['Dashboard: PIN'];
const NewPinBody = Type.Object({ pin: Pin() }, { additionalProperties: false });

/**
 * The PIN of the mode that the page is in. It is in no answer and no log, and is set after the password was given
 * again.
 */
export function pinRoutes(deps: { pinGuard: PinGuard }): FastifyPluginAsyncTypebox {
  const stateOf = async (tenant: Tenant) => {
    const state = await deps.pinGuard.readPin(tenant);
    return {
      mode: tenant.mode,
      isSet: state !== undefined,
      setAt: state?.setAt.toISOString() ?? null,
      lockedUntil: state?.lockedUntil?.toISOString() ?? null,
    };
  };
  return async (app) => {
    app.get(
      '/pin',
      {
        config: { access: { scope: null, person: true, beforeApproval: true } },
        schema: {
          tags: pinTags,
          operationId: 'getPin',
          summary: 'Whether the PIN of the mode is set, and whether it is locked',
          response: answers(Success(PinStateSchema)),
        },
      },
      async (request, reply) => sendAnswer(reply, success('Success', await stateOf(request.principal.tenant))),
    );
    app.post(
      '/pin',
      {
        config: { access: { scope: null, permission: 'pin:manage', stepUp: true, beforeApproval: true } },
        schema: {
          tags: pinTags,
          operationId: 'setPin',
          summary: 'Set or change the PIN of the merchant in this mode',
          body: NewPinBody,
          response: answers(Success(PinStateSchema)),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        await deps.pinGuard.setPin(tenant, request.body.pin, nameOfCaller(request.principal));
        return sendAnswer(reply, success('The PIN was set', await stateOf(tenant)));
      },
    );
  };
}
