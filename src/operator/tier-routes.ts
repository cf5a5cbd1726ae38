import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { exportLargeTransactions, readThresholds, setThreshold } from '../compliance/index.ts';
import {
  listTierRows,
  readTierChanges,
  setMerchantTier,
  setTierLimit,
  type TierLimitRow,
  tierRowAt,
  tierView,
} from '../limits/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import { parseAmount } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import { DAY_MS, startOfLagosDay } from '../platform/clock.ts';
import { invalidField } from '../platform/errors.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { csvAnswers, goneSignal, sendExport } from '../platform/http/stored-file.ts';
import { thresholdsView } from './compliance-views.ts';
import { OPERATOR, type OperatorDeps } from './deps.ts';
import {
  LargeTransactionsQuery,
  MerchantTierParams,
  MerchantTierSchema,
  SetMerchantTierBody,
  SetThresholdBody,
  SetTierLimitBody,
  ThresholdsSchema,
  TierRowSchema,
  TierRowsSchema,
} from './tier-schemas.ts';

const TAGS = ['Operator: tiers and reports'];
const sets = { access: { operator: true, stepUp: true, audit: 'SETTINGS' } } as const;
const looks = { access: { operator: true } } as const;

function rowView(row: TierLimitRow, rows: readonly TierLimitRow[], now: Date) {
  const isAhead = row.effectiveFrom > now;
  const isLast = tierRowAt(rows, row, now)?.id === row.id;
  return {
    limitId: row.id,
    mode: row.mode,
    ...tierView(row),
    effectiveFrom: row.effectiveFrom.toISOString(),
    source: row.source,
    state: isAhead ? ('AHEAD' as const) : isLast ? ('IN_FORCE' as const) : ('REPLACED' as const),
  };
}

const minorOf = (naira: number | null, field: string) => (naira === null ? null : parseAmount(naira, field));

/** The permissions of each tier, the tier of a merchant, and the list of large transactions. */
export function tierRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  const { database, clock } = deps;
  return async (app) => {
    app.get(
      '/operator/tier-limit',
      {
        config: looks,
        schema: {
          tags: TAGS,
          operationId: 'listTierLimits',
          summary: 'What merchants of each tier may hold, take in and pay out, past and future rows among them',
          response: answers(Success(TierRowsSchema)),
        },
      },
      async (_request, reply) => {
        const rows = await listTierRows(database);
        const now = clock.now();
        return sendAnswer(reply, success('Success', { records: rows.map((row) => rowView(row, rows, now)) }));
      },
    );
    app.post(
      '/operator/tier-limit',
      {
        config: sets,
        schema: {
          tags: TAGS,
          operationId: 'setTierLimit',
          summary: 'Say what merchants of a tier may do, from now or from a later moment on',
          description:
            'Adds a dated row; what was held or refused before stays so. Every process knows it within a minute.',
          body: SetTierLimitBody,
          response: answers(Success(TierRowSchema)),
        },
      },
      async (request, reply) => {
        const { tier, mode, singleIn, dailyIn, balance, singleOut, dailyOut, effectiveFrom, reason } = request.body;
        const row = await setTierLimit(deps, {
          tier,
          mode,
          singleInMinor: minorOf(singleIn, 'singleIn'),
          dailyInMinor: minorOf(dailyIn, 'dailyIn'),
          balanceMinor: minorOf(balance, 'balance'),
          singleOutMinor: minorOf(singleOut, 'singleOut'),
          dailyOutMinor: minorOf(dailyOut, 'dailyOut'),
          effectiveFrom: effectiveFrom === undefined ? undefined : new Date(effectiveFrom),
          source: `${reason}, ${request.operator.email}`,
        });
        deps.payoutLimits.forget();
        return sendAnswer(reply, success('The limits are set', rowView(row, [row], clock.now())));
      },
    );
    await addRoutes(app, merchantTierRoutes(deps), largeTransactionRoutes(deps));
  };
}

async function merchantTier({ database }: OperatorDeps, merchantId: string) {
  const history = await readTierChanges(database, merchantId);
  const lastOf = (mode: 'LIVE' | 'SANDBOX') => history.find((row) => row.mode === mode)?.tier ?? null;
  return {
    merchantId,
    live: lastOf('LIVE'),
    sandbox: lastOf('SANDBOX'),
    history: history.map(({ mode, tier, reason, set_by, set_at }) => ({
      mode,
      tier,
      reason,
      setBy: set_by,
      setAt: set_at.toISOString(),
    })),
  };
}

function merchantTierRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/merchant/:merchantId/tier',
      {
        config: looks,
        schema: {
          tags: TAGS,
          operationId: 'getMerchantTier',
          summary: 'The tier of a merchant in each mode, and who set it when and why',
          params: MerchantTierParams,
          response: answers(Success(MerchantTierSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId } = request.params;
        await requireMerchant(deps.database, merchantId);
        return sendAnswer(reply, success('Success', await merchantTier(deps, merchantId)));
      },
    );
    app.post(
      '/operator/merchant/:merchantId/tier',
      {
        config: sets,
        schema: {
          tags: TAGS,
          operationId: 'setMerchantTier',
          summary: 'Set the tier of a merchant, with why',
          params: MerchantTierParams,
          body: SetMerchantTierBody,
          response: answers(Success(MerchantTierSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId } = request.params;
        const { mode, tier, reason } = request.body;
        await requireMerchant(deps.database, merchantId);
        const tenant = { merchantId, mode };
        await setMerchantTier(deps, { tenant, tier, reason, by: request.operator.email });
        deps.payoutLimits.forget(tenant);
        return sendAnswer(reply, success('The tier is set', await merchantTier(deps, merchantId)));
      },
    );
  };
}

function startOf(day: string, field: string): Date {
  const start = startOfLagosDay(day);
  if (Number.isNaN(start.getTime())) throw invalidField(field, 'must be a day such as 2026-11-20');
  return start;
}

function largeTransactionRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  const { database } = deps;
  return async (app) => {
    app.get(
      '/operator/report-threshold',
      {
        config: looks,
        schema: {
          tags: TAGS,
          operationId: 'listReportThresholds',
          summary: 'From which amount on a transaction is large, past and future rows among them',
          response: answers(Success(ThresholdsSchema)),
        },
      },
      async (_request, reply) => sendAnswer(reply, success('Success', thresholdsView(await readThresholds(database)))),
    );
    app.post(
      '/operator/report-threshold',
      {
        config: sets,
        schema: {
          tags: TAGS,
          operationId: 'setReportThreshold',
          summary: 'Say from which amount on a transaction is large, from now or from a later moment on',
          body: SetThresholdBody,
          response: answers(Success(ThresholdsSchema)),
        },
      },
      async (request, reply) => {
        const { individual, corporate, effectiveFrom, reason } = request.body;
        await setThreshold(deps, {
          individual_minor: parseAmount(individual, 'individual'),
          corporate_minor: parseAmount(corporate, 'corporate'),
          effectiveFrom: effectiveFrom === undefined ? undefined : new Date(effectiveFrom),
          source: `${reason}, ${request.operator.email}`,
        });
        return sendAnswer(reply, success('The threshold is set', thresholdsView(await readThresholds(database))));
      },
    );
    app.get(
      '/operator/large-transaction.csv',
      {
        config: looks,
        schema: {
          tags: TAGS,
          operationId: 'downloadLargeTransactions',
          summary: 'Payments in and payouts at or above the threshold, of a period, as CSV',
          description:
            'By the threshold that was in force when each happened. The download stands in the audit log, with its period.',
          querystring: LargeTransactionsQuery,
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const { mode, firstDay, lastDay } = request.query;
        const period = {
          mode,
          from: startOf(firstDay, 'firstDay'),
          to: new Date(startOf(lastDay, 'lastDay').getTime() + DAY_MS),
        };
        const by = { owner: OPERATOR, gone: goneSignal(reply) };
        return sendExport(reply, 'large-transactions.csv', await exportLargeTransactions(database, period, by));
      },
    );
  };
}
