import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { answerCommand } from '../access/index.ts';
import { success } from '../platform/answer.ts';
import type { RequestLimits } from '../platform/http/request-limits.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { Mode } from '../platform/tenant.ts';
import type { ProviderWebhookRequest, RailCaller } from '../rails/index.ts';
import { type ChooseRailsDeps, chooseRails, readRailChoice } from './choose-rails.ts';
import { providerWebhookEmpty, railNotFound } from './errors.ts';
import type { RailDirectory } from './rail-directory.ts';
import { ChooseRailsBody, RailChoiceSchema } from './schemas.ts';

export function railRoutes(deps: ChooseRailsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/payout/rail',
      {
        config: { access: { scope: 'payout:read' } },
        schema: {
          tags: ['Payouts'],
          operationId: 'getPayoutRails',
          summary: 'Which rails pay, and which may be chosen',
          description: 'A rail is a bank or provider that the operator has connected.',
          response: answers(Success(RailChoiceSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readRailChoice(deps, request.principal.tenant))),
    );
    app.patch(
      '/payout/rail',
      {
        config: { access: { scope: 'payout:write', service: 'PAYOUT' }, errorCodes: ['RAIL_NOT_SELECTABLE'] },
        schema: {
          tags: ['Payouts'],
          operationId: 'choosePayoutRails',
          summary: 'Choose the rail, and the one to fail over to',
          description: 'For payouts made from now on, in the mode of the key.',
          body: ChooseRailsBody,
          response: answers(Success(RailChoiceSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          chooseRails(deps, {
            tenant: request.principal.tenant,
            first: request.body.first,
            second: request.body.second,
            by: 'MERCHANT',
            idempotency: request.idempotency,
          }),
        ),
    );
  };
}

/**
 * The largest provider webhook of any rail is a few kilobytes, and anybody can make us hash this much for its
 * signature.
 */
const MAX_WEBHOOK_BYTES = 64 * 1024;
const MODES: ReadonlyMap<string, Mode> = new Map([
  ['sandbox', 'SANDBOX'],
  ['live', 'LIVE'],
]);

/**
 * Where providers report what became of transfers, and which credits came, unasked: `POST /rail/:mode/:name/webhook`.
 * It takes no key: the account's own signature over the raw bytes authenticates it. It answers 200 once everything in
 * it is kept, also where it is about nothing of ours, so that the rail stops sending it, and 503 where the rail has to
 * send it again. Not a merchant's, so it is not in the document.
 */
export function providerWebhookRoutes(deps: ProviderWebhookDeps, limits: RequestLimits): FastifyPluginAsync {
  return async (app) => {
    // What a rail signed is not counted. Who sends others is held up before their bytes are looked at.
    app.addHook('onRequest', async (request) => limits.requireCapacity(request));
    // The bytes that were signed, whatever they say they are.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MAX_WEBHOOK_BYTES },
      (_request: FastifyRequest, body: Buffer, done: (error: null, body: Buffer) => void) => done(null, body),
    );
    app.post<ProviderWebhookRoute>(
      '/rail/:mode/:name/webhook',
      { config: { anyHost: true }, schema: { hide: true }, bodyLimit: MAX_WEBHOOK_BYTES },
      async (request, reply) => {
        const taken = await take(deps, request).catch((error: unknown) => {
          throw limits.countRefusal(request, error);
        });
        return sendAnswer(reply, success('Webhook taken', { providerWebhooks: taken }));
      },
    );
  };
}

export interface ProviderWebhookDeps {
  rails: Pick<RailDirectory, 'findRail'>;
  /** Takes all that a webhook of a rail reports, whatever it is about. @returns how much that is. */
  takeProviderWebhook(rail: RailCaller, mode: Mode, request: ProviderWebhookRequest): Promise<number>;
}

interface ProviderWebhookRoute {
  Params: { mode: string; name: string };
}

async function take(deps: ProviderWebhookDeps, request: FastifyRequest<ProviderWebhookRoute>): Promise<number> {
  const mode = MODES.get(request.params.mode.toLowerCase());
  const rail = mode && (await deps.rails.findRail(mode, request.params.name));
  if (mode === undefined || rail === undefined) throw railNotFound();
  if (!Buffer.isBuffer(request.body) || request.body.length === 0) throw providerWebhookEmpty();
  return deps.takeProviderWebhook(rail, mode, { headers: headersOf(request), rawBody: request.body });
}

/** A header that came twice is no header that anybody signed. */
function headersOf({ headers }: Pick<FastifyRequest, 'headers'>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? undefined : value]),
  );
}
