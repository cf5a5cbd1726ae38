import type { AccountKind, TransferCode } from '../ledger/index.ts';
import { type Check, check, sameTenant, valuesOf, wordsOf } from './queries.ts';

/** From which kind of account to which a transfer moves, and whether it is held first. */
interface Posting {
  from: AccountKind;
  to: AccountKind;
  isHeld: boolean;
}

const move = (from: AccountKind, to: AccountKind): Posting => ({ from, to, isHeld: false });

/** The kinds of accounts that belong to customers. */
const WALLETS = ['MERCHANT_WALLET', 'STORE_WALLET', 'SUBACCOUNT_WALLET'] as const satisfies AccountKind[];
/** Of stores and subaccounts only what goes to the merchant's bank leaves so, which is proven of each payout. */
const held = (to: AccountKind): Posting[] => WALLETS.map((from) => ({ from, to, isHeld: true }));

/** What each code may move: a new code has to say so here before it compiles. */
const POSTINGS: Readonly<Record<TransferCode, readonly Posting[]>> = {
  STORE_DEBIT: [move('STORE_WALLET', 'MERCHANT_WALLET')],
  SUBACCOUNT_CREDIT: [move('MERCHANT_WALLET', 'SUBACCOUNT_WALLET')],
  SUBACCOUNT_DEBIT: [move('SUBACCOUNT_WALLET', 'MERCHANT_WALLET')],
  SANDBOX_FUNDING: WALLETS.map((wallet) => move('PROVIDER_FLOAT', wallet)),
  // At once, out of suspense, where what may not be credited waits, or out of what waited for its settlement.
  COLLECTION: (['COLLECTION_RECEIVABLE', 'SUSPENSE', 'PENDING_COLLECTIONS'] as const).flatMap((from) =>
    WALLETS.map((wallet) => move(from, wallet)),
  ),
  COLLECTION_PENDING: [move('COLLECTION_RECEIVABLE', 'PENDING_COLLECTIONS'), move('SUSPENSE', 'PENDING_COLLECTIONS')],
  COLLECTION_SETTLEMENT: [move('PROVIDER_FLOAT', 'COLLECTION_RECEIVABLE')],
  PROVIDER_FEE: [move('PROVIDER_COST', 'COLLECTION_RECEIVABLE')],
  REFUND_SETTLEMENT: [move('COLLECTION_RECEIVABLE', 'PROVIDER_FLOAT')],
  DISPUTE_SETTLEMENT: [move('COLLECTION_RECEIVABLE', 'PROVIDER_FLOAT')],
  COLLECTION_FEE: WALLETS.map((wallet) => move(wallet, 'FEE_INCOME')),
  COLLECTION_VAT: WALLETS.map((wallet) => move(wallet, 'TAX_PAYABLE')),
  COLLECTION_SUSPENSE: [move('COLLECTION_RECEIVABLE', 'SUSPENSE')],
  // What the provider still owed, or, once it was settled, what lies in the float.
  COLLECTION_RETURN: [
    move('SUSPENSE', 'COLLECTION_RECEIVABLE'),
    move('SUSPENSE', 'PROVIDER_FLOAT'),
    move('PENDING_COLLECTIONS', 'COLLECTION_RECEIVABLE'),
  ],
  SUSPENSE_KEPT: [move('SUSPENSE', 'FEE_INCOME')],
  // What is taken beyond what was held is moved at once.
  DISPUTE: WALLETS.flatMap((wallet) => [
    { from: wallet, to: 'COLLECTION_RECEIVABLE', isHeld: true },
    move(wallet, 'COLLECTION_RECEIVABLE'),
  ]),
  DISPUTE_LOSS: [move('MERCHANT_RECEIVABLE', 'COLLECTION_RECEIVABLE')],
  RECEIVABLE_REPAYMENT: WALLETS.map((wallet) => move(wallet, 'MERCHANT_RECEIVABLE')),
  RESERVE: WALLETS.map((wallet) => move(wallet, 'RESERVE')),
  RESERVE_RELEASE: WALLETS.map((wallet) => move('RESERVE', wallet)),
  MANUAL_CREDIT: WALLETS.map((wallet) => move('PROVIDER_FLOAT', wallet)),
  REFUND: WALLETS.map((wallet) => ({ from: wallet, to: 'COLLECTION_RECEIVABLE', isHeld: true })),
  PAYOUT: held('PAYOUT_CLEARING'),
  PAYOUT_FEE: held('FEE_INCOME'),
  PAYOUT_VAT: held('TAX_PAYABLE'),
  PAYOUT_STAMP_DUTY: held('TAX_PAYABLE'),
  PAYOUT_REVERSAL: (['PAYOUT_CLEARING', 'FEE_INCOME', 'TAX_PAYABLE'] as const).flatMap((from) =>
    WALLETS.map((wallet) => move(from, wallet)),
  ),
  PAYOUT_SETTLEMENT: [move('PAYOUT_CLEARING', 'PROVIDER_FLOAT'), move('PROVIDER_FLOAT', 'PAYOUT_CLEARING')],
};

/** The accounts that every tenant has once. */
const MAIN_ACCOUNTS = [
  'MERCHANT_WALLET',
  'PAYOUT_CLEARING',
  'PROVIDER_FLOAT',
  'FEE_INCOME',
  'TAX_PAYABLE',
  'SUSPENSE',
] as const satisfies AccountKind[];

const unequippedTenants = check(
  'every-tenant-has-its-accounts',
  'Every merchant has in each of its books one main wallet and one account of each internal kind, opened together.',
  `select coalesce(b.merchant_id, a.merchant_id) as merchant_id, coalesce(b.mode, a.mode) as mode,
          format('%s main accounts of %s kinds, %s of them the merchant''s, opened at %s moments; %s', coalesce(a.main, 0),
                 coalesce(a.kinds, 0), coalesce(a.own, 0), coalesce(a.moments, 0),
                 case when b.merchant_id is null then 'no books' else 'with books' end) as detail
     from books b
     full join (
       select merchant_id, mode, count(*) filter (where is_main) as main,
              count(distinct kind) filter (where is_main) as kinds,
              count(*) filter (where is_main and owner_id = merchant_id) as own,
              count(distinct created_at) filter (where is_main) as moments
         from (select *, kind in ${wordsOf(MAIN_ACCOUNTS)} as is_main from accounts) every_account
        group by merchant_id, mode
     ) a on ${sameTenant('a', 'b')}
    where b.merchant_id is null
       or (a.main = ${MAIN_ACCOUNTS.length} and a.kinds = a.main and a.own = a.main and a.moments = 1) is not true`,
);

const CHILDREN = `select merchant_id, mode, id, wallet_id, created_at, 'STORE_WALLET' as kind from stores
        union all
       select merchant_id, mode, id, wallet_id, created_at, 'SUBACCOUNT_WALLET' from subaccounts`;

/** The owner of a wallet is one by the key of its table, so that no two children share one. */
const strayWallets = check(
  'wallets-are-the-accounts-of-their-owners',
  'Every customer’s account has its wallet and its one owner, and every store and subaccount has a wallet of its own.',
  `select coalesce(a.merchant_id, w.merchant_id) as merchant_id, coalesce(a.mode, w.mode) as mode,
          format('account %s (%s of %s) and wallet %s of %s', coalesce(a.id::text, 'none'), a.kind, a.owner_id,
                 coalesce(w.id::text, 'none'), w.owner_id) as detail
     from (select * from accounts where kind in ${wordsOf(WALLETS)}) a
     full join wallets w on ${sameTenant('w', 'a')} and w.id = a.id
    where (w.owner_id = a.owner_id and w.created_at = a.created_at) is not true
   union all
   select coalesce(a.merchant_id, c.merchant_id), coalesce(a.mode, c.mode),
          format('account %s (%s of %s) and %s %s with the wallet %s', coalesce(a.id::text, 'none'), a.kind, a.owner_id,
                 coalesce(c.kind, 'nobody'), c.id, c.wallet_id)
     from (select * from accounts where kind in ('STORE_WALLET', 'SUBACCOUNT_WALLET')) a
     full join (${CHILDREN}) c on ${sameTenant('c', 'a')} and c.wallet_id = a.id
    where (c.kind = a.kind and c.id = a.owner_id and c.created_at = a.created_at) is not true`,
);

/** A number that was reserved for a wallet that was never opened leads nowhere, and is nobody's loss. */
const wrongNumbers = check(
  'account-numbers-lead-to-their-wallets',
  'Every wallet is found by its account number, and by no other.',
  `select w.merchant_id, w.mode,
          format('wallet %s has the number %s, which leads to %s', w.id, w.account_number,
                 coalesce(n.wallet_id::text, 'nothing')) as detail
     from wallets w
     left join account_numbers n on n.account_number = w.account_number
    where (${sameTenant('n', 'w')} and n.wallet_id = w.id and n.created_at = w.created_at) is not true
   union all
   select w.merchant_id, w.mode, format('wallet %s has the number %s, and %s leads to it', w.id, w.account_number,
                                        n.account_number)
     from wallets w
     join account_numbers n on ${sameTenant('n', 'w')} and n.wallet_id = w.id
    where n.account_number <> w.account_number`,
);

const wrongChildren = check(
  'children-are-reported-as-they-are',
  'Every store and subaccount was reported once as it was opened: its name, its wallet and its account number.',
  `select coalesce(c.merchant_id, e.merchant_id) as merchant_id, coalesce(c.mode, e.mode) as mode,
          format('%s %s (%s) with the wallet %s and the number %s; reported was %s, %s, %s', coalesce(c.kind, 'nobody'), c.id,
                 c.name, c.wallet_id, w.account_number, coalesce(e.reported, 'nothing'), e.wallet, e.number) as detail
     from (
       select merchant_id, mode, id, name, wallet_id, created_at, 'store.created' as kind from stores
        union all
       select merchant_id, mode, id, name, wallet_id, created_at, 'subaccount.created' from subaccounts
     ) c
     left join wallets w on ${sameTenant('w', 'c')} and w.id = c.wallet_id
     full join (
       select v.merchant_id, v.mode, v.type, v.subject_id, v.created_at, x.name as reported, x."walletId" as wallet,
              x."accountNumber" as number, x.mode as reported_mode, coalesce(x."storeId", x."subaccountId") as child_id,
              x."bankCode" as bank_code, x."bankName" as bank_name, x."accountName" as account_name,
              x."createdAt" as reported_at, x."bookedBalance" as booked, x."availableBalance" as available
         from events v
        cross join lateral json_to_record(v.data::json)
                as x (name text, "walletId" uuid, "accountNumber" text, mode text, "storeId" uuid, "subaccountId" uuid,
                      "bankCode" text, "bankName" text, "accountName" text, "createdAt" timestamptz,
                      "bookedBalance" numeric, "availableBalance" numeric)
        where v.type in ('store.created', 'subaccount.created')
     ) e on ${sameTenant('e', 'c')} and e.type = c.kind and e.subject_id = c.id
    where (e.reported = c.name and e.wallet = c.wallet_id and e.child_id = c.id and e.reported_mode = c.mode
           and e.created_at = c.created_at and e.reported_at = c.created_at and e.account_name = w.account_name
           -- A live wallet is made without a number that anybody could pay to.
           and (e.number, e.bank_code, e.bank_name) in ((w.account_number, w.bank_code, w.bank_name), ('', '', ''))
           and (e.number <> '' or c.mode = 'LIVE')
           and e.booked = 0 and e.available = 0) is not true`,
);

/** Every code with the kinds of the accounts that it debits and credits, and how. */
export const POSSIBLE_MOVES = Object.entries(POSTINGS).flatMap(([code, postings]) =>
  postings.map(({ from, to, isHeld }) => [code, from, to, isHeld ? 'HELD' : 'AT_ONCE'] as const),
);

const POSSIBLE = valuesOf(POSSIBLE_MOVES);

const strangePostings = check(
  'transfers-move-what-their-code-says',
  'Every transfer moves between accounts of the kinds that its code is for: the amount, the fee, VAT and duty each to its own.',
  `select t.merchant_id, t.mode,
          format('transfer %s (%s %s) of %s: from %s to %s', t.id, t.kind, t.code, t.amount_minor, coalesce(d.kind, 'nothing'),
                 coalesce(c.kind, 'nothing')) as detail
     from transfers t
     left join accounts d on d.merchant_id = t.merchant_id and d.id = t.debit_account_id
     left join accounts c on c.merchant_id = t.merchant_id and c.id = t.credit_account_id
     left join ${POSSIBLE} as p (code, debit_kind, credit_kind, how)
       on p.code = t.code and p.debit_kind = d.kind and p.credit_kind = c.kind
      and p.how = case t.kind when 'POSTED' then 'AT_ONCE' else 'HELD' end
    where p.code is null`,
);

const playMoney = check(
  'live-books-have-no-play-money',
  'Nothing in live mode was funded by the sandbox or paid by its rail.',
  `select merchant_id, mode, format('transfer %s of %s is sandbox funding', id, amount_minor) as detail
     from transfers where mode = 'LIVE' and code = 'SANDBOX_FUNDING'
   union all
   select merchant_id, mode, format('transaction %s of %s is sandbox funding', id, amount_minor)
     from transactions where mode = 'LIVE' and category = 'WALLET_FUNDING'
   union all
   select merchant_id, mode, format('payout %s goes by the sandbox rail', id)
     from payouts where mode = 'LIVE' and 'sandbox' in (rail, refused_by, ended_by)
   union all
   select merchant_id, mode, format('payout %s was sent to the sandbox rail', payout_id)
     from payout_attempts where mode = 'LIVE' and rail = 'sandbox'`,
);

export const accountChecks: readonly Check[] = [
  unequippedTenants,
  strayWallets,
  wrongNumbers,
  wrongChildren,
  strangePostings,
  playMoney,
];
