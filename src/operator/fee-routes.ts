import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { changeFeeRules, type FeeChange, listFeeRules, type NewFeeRule } from '../fees/index.ts';
import { parseAmount } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { OperatorDeps } from './deps.ts';
import { ChangeFeesBody, FeePreviewSchema, FeeRulesSchema, PreviewFeesBody } from './fee-schemas.ts';
import { previewFees } from './preview-fees.ts';
import { feePreviewView, feeRuleView } from './views.ts';

const TAGS = ['Operator: fees'];
/** Twenty rules, each with its source in words. */
const MAX_CHANGE_BYTES = 128 * 1024;

export function feeRoutes({ database, clock }: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/fee',
      {
        config: { access: { operator: true, impersonal: true } },
        schema: {
          tags: TAGS,
          operationId: 'listFeeRules',
          summary: 'Fees, VAT and stamp duty as dated rules, past and future ones among them',
          response: answers(Success(FeeRulesSchema)),
        },
      },
      async (_request, reply) => {
        const rules = await database.query(listFeeRules);
        const now = clock.now();
        return sendAnswer(reply, success('Success', { records: rules.map((rule) => feeRuleView(rule, now)) }));
      },
    );
    app.post(
      '/operator/fee/preview',
      {
        config: { access: { operator: true } },
        bodyLimit: MAX_CHANGE_BYTES,
        schema: {
          tags: TAGS,
          operationId: 'previewFeeRule',
          summary: 'What a change of fees would make of some amounts, paid out or received; changes nothing',
          description: 'Refuses what the change itself would be refused for.',
          body: PreviewFeesBody,
          response: answers(Success(FeePreviewSchema)),
        },
      },
      async (request, reply) => {
        const { amounts, at, purpose } = request.body;
        const preview = previewFees(await database.query(listFeeRules), changeOf(request.body), {
          amountsMinor: amounts.map((amount, index) => parseAmount(amount, `amounts.${index}`)),
          at: at === undefined ? undefined : new Date(at),
          purpose,
          now: clock.now(),
        });
        return sendAnswer(reply, success('Success', feePreviewView(preview)));
      },
    );
    app.post(
      '/operator/fee',
      {
        config: { access: { operator: true, stepUp: true, audit: 'SETTINGS' } },
        bodyLimit: MAX_CHANGE_BYTES,
        schema: {
          tags: TAGS,
          operationId: 'setFeeRule',
          summary: 'Change fees from a moment ahead on: add rules and end others, together',
          description:
            'The past stays as it was. Nothing may be priced twice, and no payout may be left without a fee.',
          body: ChangeFeesBody,
          response: answers(Success(FeeRulesSchema)),
        },
      },
      async (request, reply) => {
        const added = await changeFeeRules({ database, clock }, changeOf(request.body));
        const now = clock.now();
        const records = added.map((rule) => feeRuleView(rule, now));
        return sendAnswer(reply, success('The fees are changed', { records }));
      },
    );
  };
}

type ChangeBody = Static<typeof ChangeFeesBody>;

function changeOf({ rules, endsRuleIds = [], endsAt }: ChangeBody): FeeChange {
  return {
    rules: rules.map(ruleOf),
    endsRuleIds,
    endsAt: endsAt === undefined ? undefined : new Date(endsAt),
  };
}

function ruleOf(rule: ChangeBody['rules'][number], index: number): NewFeeRule {
  const minor = (naira: number, field: string) => parseAmount(naira, `rules.${index}.${field}`, { allowZero: true });
  return {
    currency: 'NGN',
    kind: rule.kind,
    minAmountMinor: minor(rule.minAmount, 'minAmount'),
    maxAmountMinor: rule.maxAmount === null ? null : minor(rule.maxAmount, 'maxAmount'),
    flatMinor: minor(rule.flat, 'flat'),
    rateBasisPoints: rule.rateBasisPoints,
    capMinor: rule.cap === undefined || rule.cap === null ? null : minor(rule.cap, 'cap'),
    payer: rule.payer,
    exemptPurposes: rule.exemptPurposes,
    rounding: rule.rounding,
    effectiveFrom: new Date(rule.effectiveFrom),
    effectiveTo: rule.effectiveTo === null ? null : new Date(rule.effectiveTo),
    source: rule.source,
  };
}
