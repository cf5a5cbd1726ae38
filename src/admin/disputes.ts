import {
  confirmDisputeProposal,
  DISPUTE_ENDS,
  type DisputeCase,
  type DisputeProposalRead,
  proposeDispute,
  proposeDisputeEnd,
  readDisputeCase,
  readWaitingProposals,
  rejectDisputeProposal,
} from '../dispute-proposals/index.ts';
import { DISPUTE_CATEGORIES, type DisputeRow, noteLookedInto, readDisputeQueue, saidIn } from '../disputes/index.ts';
import { DEFAULT_CURRENCY, formatMoney, parseTypedAmount } from '../money/index.ts';
import { OUTCOME_SOURCES } from '../outcomes/index.ts';
import { manyOf } from '../platform/text.ts';
import {
  type Command,
  EMAIL,
  type Given,
  givenTenant,
  MERCHANT,
  MODE,
  momentOf,
  oneOf,
  PAGE_OPTIONS,
  pageOf,
  signIn,
  warnOfRest,
} from './command.ts';
import { rejectCommand } from './decide-outcomes.ts';

const SOURCE = { type: 'string', about: `how you know: ${OUTCOME_SOURCES.join(', ')}`, required: true } as const;
const NOTE = { type: 'string', about: 'what you saw, where, and who said it', required: true } as const;
const DISPUTE = { type: 'string', about: 'id of the dispute', required: true } as const;
const PROPOSAL = { type: 'string', about: 'id of the proposal', required: true } as const;

const list: Command = {
  name: 'list-disputes',
  audit: 'PERSONAL_DATA',
  about: 'disputes that run or have to be looked at, of all merchants, what is due first first',
  options: PAGE_OPTIONS,
  async run(deps, options) {
    const found = await readDisputeQueue(deps.database, undefined, pageOf(options));
    for (const row of found.rows) deps.print(factsOf(row).join('\t'));
    warnOfRest(deps, found, 'No dispute runs.');
  },
};

const factsOf = (row: DisputeRow): string[] => [
  row.merchant_id,
  row.mode,
  row.id,
  row.status,
  row.operator_reason ?? row.reason ?? '',
  row.due_at === null ? 'due: not said' : `due ${row.due_at.toISOString()}`,
  formatMoney(row.amount_minor, row.currency),
  `held ${formatMoney(row.held_minor, row.currency)}`,
  `payment ${row.payment_id}`,
  `${row.rail} ${row.provider_dispute_id}`,
  row.answer_status === null ? 'no answer' : `${row.answer} ${row.answer_status}`,
];

const show: Command = {
  name: 'show-dispute',
  audit: 'PERSONAL_DATA',
  about: 'one dispute, with what was said of it, what the merchant answered, and every proposal',
  options: { merchant: MERCHANT, mode: MODE, dispute: DISPUTE },
  async run(deps, options) {
    const found = await readDisputeCase(deps.collections(), givenTenant(options), options.id('dispute'));
    deps.print(factsOf(found.row).join('\t'));
    for (const report of found.evidence)
      deps.print(`said\t${report.source}\t${saidIn(report) ?? report.state}\t${report.received_at.toISOString()}`);
    for (const { action, status, reason, files, made_at } of found.answers)
      deps.print(`answer\t${action}\t${status}\t${reason ?? ''}\t${manyOf(files, 'file')}\t${made_at.toISOString()}`);
    for (const proposal of found.proposals) deps.print(`proposal\t${lineOf(proposal)}`);
    const { looked_note: note, looked_at: lookedAt } = found.row;
    if (note !== null) deps.print(`looked into\t${note}\t${lookedAt?.toISOString() ?? ''}`);
    deps.warn(howItEnds(found));
  },
};

function howItEnds({ row, outcomes }: DisputeCase): string {
  const hasEnded = row.ended_at !== null;
  if (hasEnded && outcomes.length > 0) {
    return 'It was won. Where it is lost after all, two people say so, with propose-dispute-end.';
  }
  if (hasEnded) return 'It has ended.';
  return outcomes.length > 0
    ? 'Its provider cannot be asked, or is not understood: two people say how it ends, with propose-dispute-end.'
    : 'Its provider is asked about it, and says how it ends.';
}

const listProposals: Command = {
  name: 'list-dispute-proposals',
  audit: 'PERSONAL_DATA',
  about: 'what was proposed about disputes and waits for a second person, with the digest by which it is confirmed',
  options: PAGE_OPTIONS,
  async run(deps, options) {
    const found = await readWaitingProposals(deps.database, pageOf(options));
    for (const row of found.rows) deps.print(lineOf(row));
    warnOfRest(deps, found, 'Nothing waits for a second person.');
  },
};

const lineOf = (row: DisputeProposalRead): string =>
  [
    row.merchant_id,
    row.mode,
    row.id,
    row.status,
    row.action,
    formatMoney(row.amount_minor, DEFAULT_CURRENCY),
    row.category,
    `payment ${row.payment_id}`,
    `${row.rail} ${row.provider_dispute_id}`,
    row.due_at === null ? 'due: not said' : `due ${row.due_at.toISOString()}`,
    `${row.source}, ${row.note}`,
    row.digest === row.digest_now ? `digest ${row.digest_now}` : 'ALTERED: it cannot be confirmed',
  ].join('\t');

const howKnown = (options: Given) => ({
  tenant: givenTenant(options),
  source: oneOf(options, 'source', OUTCOME_SOURCES),
  note: options.text('note'),
});

const propose: Command = {
  name: 'propose-dispute',
  about: 'enter a dispute of a provider that cannot be asked; another person has to confirm it',
  options: {
    merchant: MERCHANT,
    mode: MODE,
    rail: { type: 'string', about: 'name of the provider account that has the payment', required: true },
    payment: { type: 'string', about: 'id of the payment', required: true },
    number: { type: 'string', about: 'the provider’s own number of the dispute', required: true },
    amount: { type: 'string', about: 'naira that are wanted back, such as 1500.50', required: true },
    category: { type: 'string', about: DISPUTE_CATEGORIES.join(', '), required: true },
    'due-at': { type: 'string', about: 'until when it can be answered, such as 2026-11-20T16:00:00Z' },
    message: { type: 'string', about: 'what the payer says' },
    source: SOURCE,
    note: NOTE,
    email: EMAIL,
  },
  async run(deps, options) {
    const said = {
      ...howKnown(options),
      rail: options.text('rail'),
      paymentId: options.id('payment'),
      providerDisputeId: options.text('number'),
      amountMinor: parseTypedAmount(options.text('amount')),
      category: oneOf(options, 'category', DISPUTE_CATEGORIES),
      message: options.maybe('message') ?? null,
      dueAt: momentOf(options, 'due-at') ?? null,
    };
    const { personId } = await signIn(deps, options);
    const { proposalId } = await proposeDispute(deps.collections(), { ...said, personId });
    deps.warn('Nothing is held yet. Another person confirms it with confirm-dispute.');
    deps.print(proposalId);
  },
};

const proposeEnd: Command = {
  name: 'propose-dispute-end',
  about:
    'say how a dispute ended whose provider cannot be asked, or that a win was a loss; another person has to confirm it',
  options: {
    merchant: MERCHANT,
    mode: MODE,
    dispute: DISPUTE,
    outcome: { type: 'string', about: DISPUTE_ENDS.join(', '), required: true },
    source: SOURCE,
    note: NOTE,
    email: EMAIL,
  },
  async run(deps, options) {
    const said = {
      ...howKnown(options),
      disputeId: options.id('dispute'),
      outcome: oneOf(options, 'outcome', DISPUTE_ENDS),
    };
    const { personId } = await signIn(deps, options);
    const { proposalId } = await proposeDisputeEnd(deps.collections(), { ...said, personId });
    deps.warn('Nothing has moved. Another person confirms it with confirm-dispute.');
    deps.print(proposalId);
  },
};

const confirm: Command = {
  name: 'confirm-dispute',
  about: 'confirm what another person proposed about a dispute; it is opened or ended at once',
  options: {
    merchant: MERCHANT,
    mode: MODE,
    proposal: PROPOSAL,
    digest: { type: 'string', about: 'of the proposal, as list-dispute-proposals shows it', required: true },
    email: EMAIL,
  },
  async run(deps, options) {
    const shown = { tenant: givenTenant(options), proposalId: options.id('proposal'), digest: options.text('digest') };
    const { personId } = await signIn(deps, options);
    const { disputeId, action } = await confirmDisputeProposal(deps.collections(), { ...shown, personId });
    deps.print(`${disputeId}\t${action}`);
  },
};

const reject = rejectCommand({
  suffix: 'dispute',
  about: 'turn down what was proposed about a dispute, or take your own back',
  reject: rejectDisputeProposal,
});

const note: Command = {
  name: 'note-dispute',
  about: 'note what was found out about a dispute whose end its provider contradicts; nothing moves',
  options: { merchant: MERCHANT, mode: MODE, dispute: DISPUTE, note: NOTE, email: EMAIL },
  async run(deps, options) {
    const noted = { tenant: givenTenant(options), disputeId: options.id('dispute'), note: options.text('note') };
    const { personId } = await signIn(deps, options);
    await noteLookedInto(deps.collections(), { ...noted, personId });
    deps.print('noted');
  },
};

export const disputeCommands: readonly Command[] = [
  list,
  show,
  listProposals,
  propose,
  proposeEnd,
  confirm,
  reject,
  note,
];
