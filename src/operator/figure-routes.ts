import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import { answers, DateTime, Money, MoneySum, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { OperatorDeps } from './deps.ts';
import { figuresView, QUEUES, readFigures } from './figure-views.ts';
import { ModeName, OneOf } from './schemas.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const part = (description: string) => Nullable(Type.Number({ minimum: 0, maximum: 1, description }));
const duration = (description: string) => Nullable(Type.Integer({ minimum: 0, description }));

const sums = {
  succeeded: count('Payouts that the rail paid.'),
  succeededAmount: MoneySum('What they come to.'),
  failed: count('Payouts that were sent and failed.'),
  failedAmount: MoneySum('What they come to.'),
  reversed: count('Payouts that came back, whenever they were paid.'),
  reversedAmount: MoneySum('What they come to.'),
  successRate: part('Succeeded of those that succeeded or failed; null where none did.'),
};

const Period = Type.Object({
  ...sums,
  p50Ms: duration('From the first send to the end: half took no longer. Within five percent; null where none ended.'),
  p95Ms: duration('19 of 20 took no longer.'),
});

const RailSchema = Type.Object({
  rail: Type.String({ description: 'The rail account whose answer ended them.' }),
  mode: ModeName(),
  today: Period,
  week: Period,
  days: Type.Array(Type.Object({ day: Type.String({ examples: ['2026-11-20'] }), ...sums }), {
    description: 'Days in Lagos: today last, and the six before.',
  }),
});

const CoverSchema = Type.Object({
  rails: Type.Array(Type.String(), { description: 'Compared together, as on the page of the float.' }),
  mode: ModeName(),
  balance: Nullable(Money('What the rails said at the last comparison; null: nobody has asked them.')),
  balanceAt: Nullable(DateTime('When that was.')),
  averageDay: Nullable(
    Money(
      'What they paid on an average of the last seven days from Monday to Friday, without today; null: not known, or 70 trillion and more.',
    ),
  ),
  days: Nullable(
    Type.Number({ description: 'Balance by average; null where either is not known, or nothing was paid.' }),
  ),
});

/** Figures of one moment. A figure that is not known is null, and never zero. */
const FiguresSchema = Named(
  'OperatorFigures',
  Type.Object({
    at: DateTime('Of which moment they are.'),
    behindSince: Nullable(
      DateTime('The first event that the figures of rails do not count yet; null: they count all. Seconds are normal.'),
    ),
    rails: Type.Array(RailSchema, { description: 'Rails that ended a payout in the last eleven days.' }),
    oldestUnknown: Nullable(
      Type.Object(
        {
          payoutId: Uuid(),
          merchantId: Uuid(),
          businessName: Nullable(Type.String()),
          mode: ModeName(),
          rail: Type.String(),
          amount: Money('What the payee should get.'),
          firstSentAt: DateTime(),
        },
        { description: 'The payout that was sent longest ago and has no outcome; null: none is under way.' },
      ),
    ),
    floatCover: Type.Array(CoverSchema),
    queues: Type.Array(
      Type.Object({
        queue: OneOf(
          QUEUES,
          'REPORTED_CREDITS: what provider webhooks or lists reported of money in and nobody confirmed yet. Webhooks about ' +
            'payouts are taken at once.',
        ),
        mode: Nullable(ModeName()),
        oldestAt: Nullable(DateTime('Since when the first of them is due; null: nothing waits.')),
      }),
    ),
    receivables: Type.Object({
      providers: Type.Array(
        Type.Object({
          rail: Type.String(),
          mode: ModeName(),
          merchants: count('For how many merchants.'),
          owed: MoneySum('What it confirmed and has not settled.'),
        }),
      ),
      merchants: Type.Array(
        Type.Object({
          merchantId: Uuid(),
          businessName: Nullable(Type.String()),
          mode: ModeName(),
          owed: MoneySum('What providers owe for it.'),
        }),
        { description: 'The ten for whom it is most.' },
      ),
    }),
    review: Type.Object({
      total: count('Merchants whose details wait for a decision.'),
      longest: Type.Array(Type.Object({ merchantId: Uuid(), businessName: Type.String(), submittedAt: DateTime() }), {
        description: 'Up to ten, what waits longest first.',
      }),
    }),
  }),
);

/** The state of the service, its rails and its queues at one moment. */
export function figureRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/overview/figures',
      {
        config: { access: { operator: true, impersonal: true } },
        schema: {
          tags: ['Operator: overview'],
          operationId: 'getOperatorFigures',
          summary: 'Rails, the oldest unknown outcome, floats, queues, receivables and reviews at one moment',
          response: answers(Success(FiguresSchema)),
        },
      },
      async (_request, reply) => sendAnswer(reply, success('Success', figuresView(await readFigures(deps)))),
    );
  };
}
