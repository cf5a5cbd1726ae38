import {
  approveCredit,
  type ListedCreditRow,
  readCreditEvidence,
  readManualCredits,
  rejectCredit,
  withdrawCredit,
} from '../manual-credits/index.ts';
import { formatMoney } from '../money/index.ts';
import {
  type Command,
  EMAIL,
  givenTenant,
  MERCHANT,
  MODE,
  PAGE_OPTIONS,
  pageOf,
  signIn,
  warnOfRest,
} from './command.ts';

const CREDIT = { type: 'string', about: 'id of the manual credit', required: true } as const;
const REASON = { type: 'string', about: 'why, for the history', required: true } as const;

const list: Command = {
  name: 'list-manual-credits',
  audit: 'PERSONAL_DATA',
  about: 'manual credits that wait for a second person, what waits longest first',
  options: PAGE_OPTIONS,
  async run(deps, options) {
    const found = await readManualCredits(deps.database, { state: 'WAITING' }, pageOf(options));
    for (const row of found.rows) deps.print(factsOf(row).join('\t'));
    warnOfRest(deps, found, 'Nothing waits for a decision.');
  },
};

const show: Command = {
  name: 'show-manual-credit',
  audit: 'PERSONAL_DATA',
  about: 'one manual credit, with what was noticed about it and the digest by which it is approved',
  options: { merchant: MERCHANT, mode: MODE, credit: CREDIT },
  async run({ database, print }, options) {
    const { credit, problems, isAltered } = await readCreditEvidence(
      database,
      givenTenant(options),
      options.id('credit'),
    );
    const noticed = problems.map(({ message }) => message);
    const check = isAltered ? 'ALTERED: it cannot be approved' : `digest ${credit.digest_now}`;
    print([...factsOf(credit), credit.status, ...noticed, check].join('\t'));
  },
};

function factsOf(row: ListedCreditRow): string[] {
  return [
    row.merchant_id,
    row.mode,
    row.id,
    formatMoney(row.amount_minor, row.currency),
    `to ${row.wallet_account_number} ${row.wallet_account_name}`,
    `from ${row.payer_name}`,
    `reference ${row.bank_reference} at ${row.bank_name}, received on ${row.received_on}`,
    row.note,
  ];
}

const approve: Command = {
  name: 'approve-manual-credit',
  about:
    'approve a credit that another person proposed, after a look at its document; the wallet has the money at once',
  options: {
    merchant: MERCHANT,
    mode: MODE,
    credit: CREDIT,
    digest: { type: 'string', about: 'of the credit, as show-manual-credit shows it', required: true },
    email: EMAIL,
  },
  async run(deps, options) {
    const shown = {
      tenant: givenTenant(options),
      manualCreditId: options.id('credit'),
      digest: options.text('digest'),
    };
    const { personId } = await signIn(deps, options);
    const { manualCreditId, transactionId } = await approveCredit(deps.payouts(), { ...shown, personId });
    deps.print(`${manualCreditId}\t${transactionId}`);
  },
};

/** How a credit that waits ends without one. */
const closing = (
  name: string,
  about: string,
  [close, done]: readonly [typeof rejectCredit | typeof withdrawCredit, string],
): Command => ({
  name,
  about,
  options: { merchant: MERCHANT, mode: MODE, credit: CREDIT, reason: REASON, email: EMAIL },
  async run(deps, options) {
    const credit = { tenant: givenTenant(options), manualCreditId: options.id('credit') };
    const reason = options.text('reason');
    const { personId } = await signIn(deps, options);
    await close(deps, { ...credit, reason, personId });
    deps.print(done);
  },
});

const reject = closing('reject-manual-credit', 'turn down a credit that another person proposed', [
  rejectCredit,
  'rejected',
]);
const withdraw = closing('withdraw-manual-credit', 'take back a credit that you proposed', [
  withdrawCredit,
  'withdrawn',
]);

export const manualCreditCommands: readonly Command[] = [list, show, approve, reject, withdraw];
