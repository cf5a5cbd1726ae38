import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireMerchant } from '../merchants/index.ts';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { answers, DateTime, Money, Named, Nullable, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { Mode } from '../platform/tenant.ts';
import {
  chooseRails,
  listRailAccounts,
  RailChoiceSchema,
  readRailBalance,
  setDefaultRails,
  setRailActive,
} from '../rail-accounts/index.ts';
import { readLastFloatChecks } from '../reconciliation/index.ts';
import type { OperatorDeps } from './deps.ts';
import { DONE, Done, MerchantParams, ModeName, OneOf } from './schemas.ts';
import { defaultView, railBalanceView, railView } from './views.ts';

const Name = () =>
  Type.String({
    pattern: '^[a-z][a-z0-9-]{1,39}$',
    examples: ['paystack-live'],
    'x-hint': 'must be the name of a rail',
  });

const RailParams = Type.Object({ railId: Name() });

const Balance = Type.Object({ amount: Money('What the provider said was in the account.'), at: DateTime() });

const OperatorRailSchema = Named(
  'OperatorRail',
  Type.Object({
    railId: Type.String({ description: 'Its name, as payouts carry it.', examples: ['sandbox'] }),
    provider: Type.String({ examples: ['paystack'] }),
    mode: ModeName(),
    builtIn: Type.Boolean({ description: 'The sandbox rail, which cannot be switched off.' }),
    active: Type.Boolean({ description: 'Off, it gets no new payouts; those that it has are asked about as before.' }),
    openToMerchants: Type.Boolean(),
    priority: Nullable(OneOf(['FIRST', 'SECOND'] as const, 'Its place in the default of its mode.')),
    baseUrl: Nullable(Type.String({ description: 'Null: the provider’s own address.' })),
    circuit: Nullable(
      OneOf(
        ['closed', 'half_open', 'open'] as const,
        'Closed: it answers. Open: too many of the last calls of this process brought no answer. Null: not called yet.',
      ),
    ),
    opens: Type.Boolean({
      description:
        'False: its credentials do not open. Nothing can be asked of it, its payouts wait or fail over to the other rail.',
    }),
    lastBalance: Nullable(Balance),
  }),
);

const OperatorRailsSchema = Named(
  'OperatorRails',
  Type.Object({
    records: Type.Array(OperatorRailSchema),
    defaults: Type.Array(
      Type.Object({
        mode: ModeName(),
        first: Nullable(Type.String({ description: 'Null: none is set.' })),
        second: Nullable(Type.String()),
      }),
      { description: 'The rails of merchants that chose none, one line a mode.' },
    ),
  }),
);

const ChangeRailBody = Type.Object({ active: Type.Boolean() }, { additionalProperties: false });

const DefaultRailsBody = Type.Object(
  { mode: ModeName(), first: Name(), second: Type.Optional(Nullable(Name())) },
  { additionalProperties: false },
);

const ChooseRailBody = Type.Object(
  {
    mode: ModeName(),
    first: Type.Union([Name(), Type.Null()], { description: 'Null goes back to the default of the mode.' }),
    second: Type.Optional(Nullable(Name())),
  },
  { additionalProperties: false },
);

const RailBalanceSchema = Balance;

const MODES: readonly Mode[] = ['SANDBOX', 'LIVE'];

/** Every rail with its priority and its health, the built-in one first, and the defaults of both modes. */
async function readRails(deps: OperatorDeps) {
  const { database, rails } = deps;
  const [named, accounts, checks] = await Promise.all([
    rails.listNamed(),
    listRailAccounts(deps),
    readLastFloatChecks(database),
  ]);
  // An account that was added a moment ago is not in the directory's memory yet.
  const stepUp = accounts
    .filter(({ name }) => !named.some((rail) => rail.name === name))
    .map((account) => ({ ...account, circuit: null }));
  const records = [...named, ...stepUp].map((rail) =>
    railView({
      rail,
      account: accounts.find(({ name }) => name === rail.name),
      lastCheck: checks.find((check) => check.rails === rail.name && check.mode === rail.mode),
    }),
  );
  return { records, defaults: MODES.map((mode) => defaultView(mode, accounts)) };
}

const TAGS = ['Operator: rails'];

const KNOWN_SOON = 'Every process knows it within 5 seconds.';

export function railRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/rail',
      {
        config: { access: { operator: true, impersonal: true } },
        schema: {
          tags: TAGS,
          operationId: 'listRails',
          summary: 'The rails, their priority and their health; never credentials',
          response: answers(Success(OperatorRailsSchema)),
        },
      },
      async (_request, reply) => sendAnswer(reply, success('Success', await readRails(deps))),
    );
    app.get(
      '/operator/rail/:railId/balance',
      {
        config: { access: { operator: true, impersonal: true } },
        schema: {
          tags: TAGS,
          operationId: 'getRailBalance',
          summary: 'Ask the provider now what is in an account',
          params: RailParams,
          response: answers(Success(RailBalanceSchema)),
        },
      },
      async (request, reply) => {
        const { availableMinor } = await readRailBalance(deps, request.params.railId);
        return sendAnswer(reply, success('Success', railBalanceView(availableMinor, deps.clock.now())));
      },
    );
    app.patch(
      '/operator/rail/:railId',
      {
        config: { access: { operator: true, stepUp: true, audit: 'SETTINGS' } },
        schema: {
          tags: TAGS,
          operationId: 'updateRail',
          summary: 'Switch a rail off or on for new payouts',
          description: KNOWN_SOON,
          params: RailParams,
          body: ChangeRailBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        await setRailActive(deps, request.params.railId, request.body.active);
        return sendAnswer(reply, success(request.body.active ? 'The rail is on' : 'The rail is off', DONE));
      },
    );
    await addRoutes(app, railOrderRoutes(deps));
  };
}

/** The rails that pay, for merchants that chose none and for a single merchant. */
function railOrderRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/operator/rail/default',
      {
        config: { access: { operator: true, stepUp: true, audit: 'SETTINGS' } },
        schema: {
          tags: TAGS,
          operationId: 'setDefaultRail',
          summary: 'The rails of merchants that chose none',
          description: KNOWN_SOON,
          body: DefaultRailsBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { mode, first, second } = request.body;
        await setDefaultRails(deps, { mode, first, second: second ?? undefined });
        return sendAnswer(reply, success('The default is set', DONE));
      },
    );
    app.post(
      '/operator/merchant/:merchantId/rail',
      {
        config: { access: { operator: true, stepUp: true, audit: 'SETTINGS' } },
        schema: {
          tags: TAGS,
          operationId: 'setMerchantRails',
          summary: 'The rails of one merchant, or back to the default',
          description: `${KNOWN_SOON} Payouts that were made before stay where they are.`,
          params: MerchantParams,
          body: ChooseRailBody,
          response: answers(Success(RailChoiceSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId } = request.params;
        const { mode, first, second } = request.body;
        await requireMerchant(deps.database, merchantId);
        const tenant = { merchantId, mode };
        const { answer } = await chooseRails(deps, { tenant, first, second: second ?? undefined, by: 'OPERATOR' });
        return sendAnswer(reply, answer);
      },
    );
  };
}
