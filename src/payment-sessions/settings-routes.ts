import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand } from '../access/index.ts';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { MAX_LONG_BODY_BYTES, sendAnswer } from '../platform/http/server.ts';
import type { SessionDeps } from './deps.ts';
import { changeSettings, readSettings } from './settings.ts';
import { CollectionSettingsBody, CollectionSettingsSchema } from './settings-schemas.ts';
import { settingsView } from './views.ts';

export function collectionSettingsRoutes(deps: SessionDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/collection/settings',
      {
        config: { access: { scope: 'collection:read' } },
        schema: {
          tags: ['Payment sessions'],
          operationId: 'getCollectionSettings',
          summary: 'What public keys may do',
          description: 'Until it is allowed here, a public key creates no payment session.',
          response: answers(Success(CollectionSettingsSchema)),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        return sendAnswer(reply, success('Success', settingsView(await readSettings(deps, tenant), tenant)));
      },
    );
    app.patch(
      '/collection/settings',
      {
        bodyLimit: MAX_LONG_BODY_BYTES,
        config: {
          access: { scope: 'collection:write', service: 'COLLECTION', audit: 'SETTINGS' },
          errorCodes: ['COLLECTION_SETTINGS_INCOMPLETE'],
        },
        schema: {
          tags: ['Payment sessions'],
          operationId: 'updateCollectionSettings',
          summary: 'Say what public keys may do',
          description: 'What is left out stays. A list replaces the one before.',
          body: CollectionSettingsBody,
          response: answers(Success(CollectionSettingsSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          changeSettings(deps, request.principal.tenant, request.body, request.idempotency),
        ),
    );
  };
}
