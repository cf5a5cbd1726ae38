import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { requirePerson } from './authorize.ts';
import { type KeyDeps, revokeApiKey } from './issue-api-key.ts';
import {
  KeyChangesBody,
  KeyParams,
  KeySchema,
  NewKeyBody,
  NewKeySchema,
  RotatedKeySchema,
  RotateKeyBody,
} from './key-schemas.ts';
import { keyView, listApiKeys } from './list-api-keys.ts';
import { changeKey, type Maker, makeKey, makeReferenceKey, rotateKey } from './make-key.ts';

const tags = ['Dashboard: API keys'];
const mayRead = { access: { scope: null, permission: 'key:read', beforeApproval: true } } as const;
/**
 * The password is asked again where a key is handed out or opened wider. Ending one is never held up, and asks for no
 * more than managing keys: it takes power away and gives none.
 */
const mayManage = { access: { scope: null, permission: 'key:manage', beforeApproval: true, stepUp: true } } as const;
const mayRevoke = { access: { scope: null, permission: 'key:manage', beforeApproval: true } } as const;

/**
 * The keys of the mode that the person is in. No answer here is kept under an idempotency key: it would keep the key.
 */
export function keyRoutes(deps: KeyDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/key',
      {
        config: mayRead,
        schema: {
          tags,
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
          tags,
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
    await app.register(oneKeyRoutes(deps));
    app.post(
      '/key/reference',
      {
        config: { access: { scope: 'payout:read', person: true, audit: 'KEYS' } },
        schema: {
          tags,
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
          tags,
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
          tags,
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
          tags,
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
