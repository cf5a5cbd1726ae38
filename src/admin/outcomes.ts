import { formatMoney } from '../money/index.ts';
import {
  confirmOutcome,
  type OutcomeQueueEntry,
  PROPOSED_OUTCOMES,
  proposeOutcome,
  readOutcomeQueue,
  rejectProposal,
} from '../outcomes/index.ts';
import { type Command, PAGE_OPTIONS, pageOf, warnOfRest } from './command.ts';
import { decisionCommands } from './decide-outcomes.ts';

const MS_PER_HOUR = 60 * 60 * 1_000;

const listOutcomes: Command = {
  name: 'list-outcomes',
  audit: 'PERSONAL_DATA',
  about: 'payouts whose outcome people have to decide, what waits longest first',
  options: {
    all: { type: 'boolean', about: 'every payout that was sent and has no outcome, however young' },
    proposed: { type: 'boolean', about: 'only payouts that an outcome is proposed for, however young' },
    ...PAGE_OPTIONS,
  },
  async run(deps, options) {
    const shown = options.flag('proposed') ? 'PROPOSED' : options.flag('all') ? 'ALL' : 'OPERATOR';
    const found = await readOutcomeQueue(deps.database, shown, pageOf(options));
    for (const entry of found.rows) deps.print(queueLine(entry, deps.clock.now()));
    warnOfRest(deps, found, 'Nothing waits for a decision.');
  },
};

function queueLine({ payout, lastCode, lastSessionId, proposal }: OutcomeQueueEntry, now: Date): string {
  const since = payout.first_sent_at;
  const hours =
    since === null ? 'not sent' : `${((now.getTime() - new Date(since).getTime()) / MS_PER_HOUR).toFixed(1)} h`;
  return [
    payout.merchant_id,
    payout.mode,
    payout.id,
    payout.status,
    payout.operator_reason ?? payout.reason ?? '',
    hours,
    formatMoney(payout.amount_minor, payout.currency),
    payout.rail,
    `code ${lastCode ?? 'none'}`,
    `reference ${payout.rail_reference}`,
    `session ${lastSessionId ?? 'none'}`,
    proposal === undefined
      ? 'no proposal'
      : `proposal ${proposal.id}: ${proposal.outcome} by ${proposal.source}, ${proposal.note}`,
    ...(proposal === undefined ? [] : [`digest ${proposal.digest_now}`]),
  ].join('\t');
}

export const outcomeCommands: readonly Command[] = [
  listOutcomes,
  ...decisionCommands({
    subject: 'payout',
    suffix: 'outcome',
    outcomes: PROPOSED_OUTCOMES,
    propose: (deps, { subjectId, ...said }) => proposeOutcome(deps, { ...said, payoutId: subjectId }),
    async confirm(deps, shown) {
      const { payoutId, outcome } = await confirmOutcome(deps.payouts(), shown);
      return `${payoutId}\t${outcome}`;
    },
    reject: rejectProposal,
  }),
];
