import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  askAgain,
  CREDIT_ACTIONS,
  closeCreditProposal,
  closePaymentProposal,
  confirmForCredit,
  confirmForPayment,
  PAYMENT_ACTIONS,
  proposeForCredit,
  proposeForPayment,
  readSuspense,
  type ShownProposal,
  SUSPENSE_SOURCES,
  type SuspenseEntry,
  type SuspenseSource,
} from '../suspense/index.ts';
import {
  type AdminDeps,
  type Command,
  EMAIL,
  type Given,
  givenTenant,
  oneOf,
  PAGE_OPTIONS,
  pageOf,
  signIn,
  warnOfRest,
} from './command.ts';

/** A payment is of a merchant; without one, it is a reported credit that is meant. */
const SUBJECT = {
  merchant: { type: 'string', about: 'id of the merchant, for a payment in suspense' },
  mode: { type: 'string', about: 'SANDBOX or LIVE, for a payment in suspense' },
} as const;
const PROPOSAL = { type: 'string', about: 'id of the proposal', required: true } as const;
const CREDIT = {
  rail: { type: 'string', about: 'name of the provider account' },
  key: { type: 'string', about: 'key of the reported credit, as list-suspense shows it' },
} as const;

/** Undefined where a reported credit is meant. */
const paymentTenantOf = (options: Given): Tenant | undefined =>
  options.maybe('merchant') === undefined ? undefined : givenTenant(options);

const list: Command = {
  name: 'list-suspense',
  audit: 'PERSONAL_DATA',
  about: 'money that came in and waits for two people, what waits longest first',
  options: { merchant: { type: 'string', about: 'only payments of this merchant' }, ...PAGE_OPTIONS },
  async run(deps, options) {
    const filter = { merchantId: options.maybeId('merchant') };
    const found = await readSuspense(deps.database, filter, pageOf(options));
    for (const row of found.rows) deps.print(lineOf(row));
    warnOfRest(deps, found, 'Nothing waits for a decision.');
  },
};

function lineOf({ money, proposal }: SuspenseEntry): string {
  const subject = money.kind === 'PAYMENT' ? [money.merchant_id, money.payment_id] : [money.rail, money.credit_key];
  const { amount_minor, is_confirmed, reason, status } = money;
  const amount = amount_minor === null ? 'no amount' : formatMoney(amount_minor, DEFAULT_CURRENCY);
  return [
    money.kind,
    ...subject,
    money.mode,
    reason === null ? status : `${status} ${reason}`,
    is_confirmed ? amount : `${amount} as reported`,
    `to ${money.account_number ?? 'no number'} at ${money.rail}`,
    `from ${money.payer_name ?? 'an unknown payer'}`,
    `since ${money.since.toISOString()}`,
    ...(proposal === undefined
      ? ['no proposal']
      : [
          `proposal ${proposal.id}: ${proposal.action} to ${proposal.wallet_account_number ?? 'no wallet'}`,
          `${proposal.source}, ${proposal.note}`,
          checkOf(proposal),
        ]),
  ].join('\t');
}

function checkOf({ isAltered, isStale, digest_now }: ShownProposal): string {
  if (isAltered) return 'ALTERED: it cannot be confirmed';
  return isStale ? 'STALE: more became known since; propose anew' : `digest ${digest_now}`;
}

const propose: Command = {
  name: 'propose-suspense',
  about: 'say what becomes of money that waits and how you know; another person has to confirm it',
  options: {
    ...SUBJECT,
    payment: { type: 'string', about: 'id of the payment' },
    ...CREDIT,
    action: { type: 'string', about: 'ATTRIBUTE, RETURN, KEEP (a payment) or DISMISS (a credit)', required: true },
    account: { type: 'string', about: 'with ATTRIBUTE, account number of the wallet' },
    bank: { type: 'string', about: 'code of the bank of that number, where two wallets have it' },
    source: { type: 'string', about: `how you know: ${SUSPENSE_SOURCES.join(', ')}`, required: true },
    note: { type: 'string', about: 'what you saw, where, and who said it', required: true },
    email: EMAIL,
  },
  async run(deps, options) {
    const tenant = paymentTenantOf(options);
    const said = {
      source: oneOf(options, 'source', SUSPENSE_SOURCES),
      note: options.text('note'),
      accountNumber: options.maybe('account'),
      bankCode: options.maybe('bank'),
    };
    const { proposalId } = await (tenant === undefined
      ? proposeAboutCredit(deps, options, said)
      : proposeAboutPayment(deps, options, { ...said, tenant }));
    deps.warn('Nothing has moved. Another person confirms it with confirm-suspense.');
    deps.print(proposalId);
  },
};

interface Said {
  source: SuspenseSource;
  note: string;
  accountNumber: string | undefined;
  bankCode: string | undefined;
}

async function proposeAboutCredit(deps: AdminDeps, options: Given, said: Said) {
  const credit = { rail: options.text('rail'), creditKey: options.text('key') };
  const action = oneOf(options, 'action', CREDIT_ACTIONS);
  const { personId } = await signIn(deps, options);
  return proposeForCredit(deps.collections(), { ...said, ...credit, action, personId });
}

async function proposeAboutPayment(deps: AdminDeps, options: Given, said: Said & { tenant: Tenant }) {
  const paymentId = options.id('payment');
  const action = oneOf(options, 'action', PAYMENT_ACTIONS);
  const { personId } = await signIn(deps, options);
  return proposeForPayment(deps.collections(), { ...said, paymentId, action, personId });
}

const confirm: Command = {
  name: 'confirm-suspense',
  about: "confirm another person's proposal about money that waits; it becomes books at once",
  options: {
    ...SUBJECT,
    proposal: PROPOSAL,
    digest: { type: 'string', about: 'of the proposal, as list-suspense shows it', required: true },
    email: EMAIL,
  },
  async run(deps, options) {
    const tenant = paymentTenantOf(options);
    const shown = { proposalId: options.id('proposal'), digest: options.text('digest') };
    const { personId } = await signIn(deps, options);
    if (tenant === undefined) {
      deps.print((await confirmForCredit(deps.collections(), { ...shown, personId })).result);
      return;
    }
    const { paymentId, status } = await confirmForPayment(deps.collections(), { tenant, ...shown, personId });
    deps.print(`${paymentId}\t${status}`);
  },
};

const closing = (name: string, about: string, status: 'REJECTED' | 'WITHDRAWN'): Command => ({
  name,
  about,
  options: {
    ...SUBJECT,
    proposal: PROPOSAL,
    reason: { type: 'string', about: 'why, for the history', required: true },
    email: EMAIL,
  },
  async run(deps, options) {
    const tenant = paymentTenantOf(options);
    const decision = { proposalId: options.id('proposal'), reason: options.text('reason'), status };
    const { personId } = await signIn(deps, options);
    if (tenant === undefined) await closeCreditProposal(deps, { ...decision, personId });
    else await closePaymentProposal(deps, { tenant, ...decision, personId });
    deps.print(status.toLowerCase());
  },
});

const ask: Command = {
  name: 'ask-about-credit',
  about: 'ask the provider about a reported credit now; what it confirms is credited as always',
  options: { ...CREDIT, email: EMAIL },
  async run(deps, options) {
    const credit = { rail: options.text('rail'), creditKey: options.text('key') };
    const { personId } = await signIn(deps, options);
    deps.print((await askAgain(deps.collections(), { ...credit, personId })) ?? 'NOT_ASKED');
  },
};

export const suspenseCommands: readonly Command[] = [
  list,
  propose,
  confirm,
  closing('reject-suspense', 'turn down a proposal that another person made', 'REJECTED'),
  closing('withdraw-suspense', 'take back a proposal that you made', 'WITHDRAWN'),
  ask,
];
