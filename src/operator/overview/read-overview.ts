import { countSubmitted } from '../../merchants/index.ts';
import { countOutcomesToDecide } from '../../payouts/index.ts';
import { countUndecidedLines, readFloatStanding } from '../../reconciliation/index.ts';
import { countFailing } from '../../webhooks/index.ts';
import type { OperatorDeps } from '../deps.ts';

/** What waits for the operator's staff, as counts; what waits for this person among it. */
export async function readOverview({ database, rails }: OperatorDeps, personId: string) {
  const [merchantsToReview, outcomes, webhooksFailing, floats, settlementToDecide, named] = await Promise.all([
    countSubmitted(database),
    countOutcomesToDecide(database, personId),
    countFailing(database),
    readFloatStanding(database),
    countUndecidedLines(database),
    rails.listNamed(),
  ]);
  return {
    merchantsToReview,
    unknownOutcomes: outcomes.beforeOperator,
    proposalsForMe: outcomes.proposals,
    webhooksFailing,
    floatDifferences: floats.filter(({ difference_minor }) => difference_minor !== 0n).length,
    railsDown: named.filter(({ active, circuit }) => active && circuit === 'open').length,
    settlementToDecide,
  };
}
