import type { AccountKind, TransferCode } from '../../ledger/index.ts';

/** From which kind of account to which a transfer moves, and whether it is held first. */
interface Posting {
  from: AccountKind;
  to: AccountKind;
  isHeld: boolean;
}

const move = (from: AccountKind, to: AccountKind): Posting => ({ from, to, isHeld: false });
const held = (to: AccountKind): Posting[] => [{ from: 'MERCHANT_WALLET', to, isHeld: true }];

/** The kinds of accounts that belong to customers. */
export const WALLETS = ['MERCHANT_WALLET', 'STORE_WALLET', 'SUBACCOUNT_WALLET'] as const satisfies AccountKind[];

/** What each code may move: a new code has to say so here before it compiles. */
export const POSTINGS: Readonly<Record<TransferCode, readonly Posting[]>> = {
  STORE_DEBIT: [move('STORE_WALLET', 'MERCHANT_WALLET')],
  SUBACCOUNT_CREDIT: [move('MERCHANT_WALLET', 'SUBACCOUNT_WALLET')],
  SUBACCOUNT_DEBIT: [move('SUBACCOUNT_WALLET', 'MERCHANT_WALLET')],
  SANDBOX_FUNDING: WALLETS.map((wallet) => move('PROVIDER_FLOAT', wallet)),
  PAYOUT: held('PAYOUT_CLEARING'),
  PAYOUT_FEE: held('FEE_INCOME'),
  PAYOUT_VAT: held('TAX_PAYABLE'),
  PAYOUT_STAMP_DUTY: held('TAX_PAYABLE'),
  PAYOUT_REVERSAL: (['PAYOUT_CLEARING', 'FEE_INCOME', 'TAX_PAYABLE'] as const).map((from) =>
    move(from, 'MERCHANT_WALLET'),
  ),
  PAYOUT_SETTLEMENT: [move('PAYOUT_CLEARING', 'PROVIDER_FLOAT'), move('PROVIDER_FLOAT', 'PAYOUT_CLEARING')],
};

/** The accounts that every tenant has once. */
export const MAIN_ACCOUNTS = [
  'MERCHANT_WALLET',
  'PAYOUT_CLEARING',
  'PROVIDER_FLOAT',
  'FEE_INCOME',
  'TAX_PAYABLE',
  'SUSPENSE',
] as const satisfies AccountKind[];
