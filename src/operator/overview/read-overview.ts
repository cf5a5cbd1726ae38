import { countSubmitted } from '../../merchants/index.ts';
import { countOutcomesToDecide } from '../../outcomes/index.ts';
import { countUndecidedLines, readFloatStanding } from '../../reconciliation/index.ts';
import { countFailing } from '../../webhooks/index.ts';
import type { OperatorDeps } from '../deps.ts';

/** What waits for the operator's staff, as counts of one moment; what waits for this person among it. */
export async function readOverview({ database, rails }: OperatorDeps, personId: string) {
  const named = await rails.listNamed();
  const [merchantsToReview, outcomes, webhooksFailing, floats, settlementToDecide] = await database.snapshot(
    (queries) =>
      Promise.all([
        countSubmitted(queries),
        countOutcomesToDecide(queries, personId),
        countFailing(queries),
        readFloatStanding(queries),
        countUndecidedLines(queries),
      ]),
  );
  return {
    merchantsToReview,
    unknownOutcomes: outcomes.beforeOperator,
    proposalsForMe: outcomes.proposals,
    webhooksFailing,
    floatDifferences: floats.filter(({ difference_minor }) => difference_minor !== 0n).length,
    railsDown: named.filter(({ active, circuit, opens }) => active && (!opens || circuit === 'open')).length,
    settlementToDecide,
  };
}
