import { formatMoney } from '../money/index.ts';
import {
  confirmOutcome,
  OUTCOME_SOURCES,
  type OutcomeQueueEntry,
  PROPOSED_OUTCOMES,
  proposeOutcome,
  readOutcomeQueue,
  rejectProposal,
} from '../outcomes/index.ts';
import {
  type Command,
  EMAIL,
  givenTenant,
  MERCHANT,
  MODE,
  oneOf,
  PAGE_OPTIONS,
  pageOf,
  signIn,
  warnOfRest,
} from './command.ts';

const PROPOSAL = { type: 'string', about: 'id of the proposal', required: true } as const;

const MS_PER_HOUR = 60 * 60 * 1_000;

const listOutcomes: Command = {
  name: 'list-outcomes',
  audit: 'PERSONAL_DATA',
  about: 'payouts whose outcome people have to decide, what waits longest first',
  options: {
    all: { type: 'boolean', about: 'every payout that was sent and has no outcome, however young' },
    ...PAGE_OPTIONS,
  },
  async run(deps, options) {
    const found = await readOutcomeQueue(deps.database, { all: options.flag('all') }, pageOf(options));
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

const propose: Command = {
  name: 'propose-outcome',
  about: 'say what became of a payout and how you know; another person has to confirm it',
  options: {
    merchant: MERCHANT,
    mode: MODE,
    payout: { type: 'string', about: 'id of the payout', required: true },
    outcome: { type: 'string', about: PROPOSED_OUTCOMES.join(', '), required: true },
    source: { type: 'string', about: `how you know: ${OUTCOME_SOURCES.join(', ')}`, required: true },
    note: { type: 'string', about: 'what you saw, where, and who said it', required: true },
    email: EMAIL,
  },
  async run(deps, options) {
    const proposal = {
      tenant: givenTenant(options),
      payoutId: options.id('payout'),
      outcome: oneOf(options, 'outcome', PROPOSED_OUTCOMES),
      source: oneOf(options, 'source', OUTCOME_SOURCES),
      note: options.text('note'),
    };
    const { personId } = await signIn(deps, options);
    const { proposalId } = await proposeOutcome(deps, { ...proposal, personId });
    deps.warn('Nothing has moved. Another person confirms it with confirm-outcome.');
    deps.print(proposalId);
  },
};

const confirm: Command = {
  name: 'confirm-outcome',
  about: "confirm another person's proposal; it becomes books at once",
  options: {
    merchant: MERCHANT,
    mode: MODE,
    proposal: PROPOSAL,
    digest: { type: 'string', about: 'of the proposal, as list-outcomes shows it', required: true },
    email: EMAIL,
  },
  async run(deps, options) {
    const shown = { proposalId: options.id('proposal'), digest: options.text('digest') };
    const decision = { tenant: givenTenant(options), ...shown };
    const { personId } = await signIn(deps, options);
    const { payoutId, outcome } = await confirmOutcome(deps.payouts(), { ...decision, personId });
    deps.print(`${payoutId}\t${outcome}`);
  },
};

const reject: Command = {
  name: 'reject-outcome',
  about: 'turn a proposal down, or take your own back',
  options: {
    merchant: MERCHANT,
    mode: MODE,
    proposal: PROPOSAL,
    reason: { type: 'string', about: 'why, for the history', required: true },
    email: EMAIL,
  },
  async run(deps, options) {
    const decision = {
      tenant: givenTenant(options),
      proposalId: options.id('proposal'),
      reason: options.text('reason'),
    };
    const { personId } = await signIn(deps, options);
    await rejectProposal(deps, { ...decision, personId });
    deps.print('rejected');
  },
};

export const outcomeCommands: readonly Command[] = [listOutcomes, propose, confirm, reject];
