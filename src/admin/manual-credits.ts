import {
  approveCredit,
  type ListedCreditRow,
  readCreditEvidence,
  readManualCredits,
  rejectCredit,
  withdrawCredit,
} from '../manual-credits/index.ts';
import { formatMoney } from '../money/index.ts';
import { type AdminDeps, type Command, givenTenant, MERCHANT } from './command.ts';
import { EMAIL, signIn } from './outcomes.ts';

const MODE = { type: 'string', about: 'SANDBOX or LIVE', required: true } as const;
const CREDIT = { type: 'string', about: 'id of the manual credit', required: true } as const;
const REASON = { type: 'string', about: 'why, for the history', required: true } as const;

const MAX_LISTED = 200;

const list: Command = {
  name: 'list-manual-credits',
  audit: 'PERSONAL_DATA',
  about: 'manual credits that wait for a second person, what waits longest first',
  options: {},
  async run(deps) {
    const { rows } = await readManualCredits(deps.database, { state: 'WAITING' }, { page: 1, size: MAX_LISTED });
    for (const row of rows) deps.print(await lineOf(deps, row));
    if (rows.length === 0) deps.warn('Nothing waits for a decision.');
  },
};

async function lineOf({ database }: AdminDeps, row: ListedCreditRow): Promise<string> {
  const { merchant_id: merchantId, mode, id } = row;
  const { credit, problems, isAltered } = await readCreditEvidence(database, { merchantId, mode }, id);
  return [
    merchantId,
    mode,
    id,
    formatMoney(row.amount_minor, row.currency),
    `to ${row.wallet_account_number} ${row.wallet_account_name}`,
    `from ${row.payer_name}`,
    `reference ${row.bank_reference} at ${row.bank_name}, received on ${row.received_on}`,
    row.note,
    ...problems.map(({ message }) => message),
    isAltered ? 'ALTERED: it cannot be approved' : `digest ${credit.digest_now}`,
  ].join('\t');
}

const approve: Command = {
  name: 'approve-manual-credit',
  about:
    'approve a credit that another person proposed, after a look at its document; the wallet has the money at once',
  options: {
    merchant: MERCHANT,
    mode: MODE,
    credit: CREDIT,
    digest: { type: 'string', about: 'of the credit, as list-manual-credits shows it', required: true },
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

export const manualCreditCommands: readonly Command[] = [list, approve, reject, withdraw];
