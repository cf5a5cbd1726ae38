import type { PassedOver } from '../ledger/index.ts';
import { type Statement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import type { TransactionCategory } from '../transactions/index.ts';

/**
 * The kinds of documents in the index. `SESSION` is the session id that a bank answers later: it is a document of its
 * own, so that the others need not be written again.
 */
const DOCUMENT_KINDS = [
  'PAYOUT',
  'PAYOUT_SESSION',
  'TRANSACTION',
  'PAYMENT',
  'REFUND',
  'BATCH',
  'BENEFICIARY',
  'CUSTOMER',
  'STORE',
  'SUBACCOUNT',
] as const;

export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** The part of a row that can be found. */
export interface SourceRow {
  id: string;
  created_at: Date;
  amount_minor: bigint | null;
  /** Texts with the separator between them. An array would be parsed letter by letter here. */
  names: string;
  codes: string;
  /** Null where it is not known yet. */
  session_id: string | null;
}

/** A table whose rows can be found. */
export interface Source {
  table: string;
  /** The first word of the types of its events. */
  event: string;
  /** Types of its events that change nothing about how it is found. */
  sameAfter: readonly string[];
  kind: DocumentKind;
  sessionKind: DocumentKind | null;
  /** Whether a row that was found may no longer be found later. */
  mayGo: boolean;
  /** `$1` merchant, `$2` mode, `$3` the id after which to go on, `$4` how many. */
  idsAfter: Statement<{ id: string }>;
  /** `$1` merchant, `$2` mode, `$3` ids. It leaves out rows that are not to be found. */
  rows: Statement<SourceRow>;
}

/** The unit separator of ASCII. No name and no number contains it. */
const SEPARATOR = '\x1f';

/** Joins the texts that are not null. */
const texts = (...values: string[]): string => `concat_ws(chr(${SEPARATOR.charCodeAt(0)}), ${values.join(', ')})`;

/** The texts that `names` or `codes` of a row holds. */
export const textsIn = (joined: string): string[] => (joined === '' ? [] : joined.split(SEPARATOR));
const hex = (id: string): string => `replace(${id}::text, '-', '')`;

interface Given extends Omit<Source, 'idsAfter' | 'rows' | 'mayGo' | 'sameAfter'> {
  mayGo?: true;
  sameAfter?: readonly string[];
  /** SQL over `s`, the row of the table. */
  createdAt?: string;
  amount?: string;
  names: string;
  codes: string;
  session?: string;
  from?: string;
  where?: string;
}

function source(given: Given): Source {
  const { table, event, sameAfter = [], kind, sessionKind, createdAt = 's.created_at', names, codes } = given;
  const { amount = 'null::bigint', session = 'null::text', from = '', where = 'true' } = given;
  const name = table.replaceAll('_', '-');
  return {
    table,
    event,
    sameAfter,
    kind,
    sessionKind,
    mayGo: given.mayGo === true,
    idsAfter: statement<{ id: string }>(
      `list-ids-of-${name}-to-search`,
      `select id from ${table} where merchant_id = $1 and mode = $2 and id > $3 order by id limit $4`,
    ),
    rows: statement<SourceRow>(
      `list-${name}-to-search`,
      `select s.id, ${createdAt} as created_at, ${amount} as amount_minor, ${names} as names, ${codes} as codes,
              ${session} as session_id
         from unnest($3::uuid[]) as wanted (id)
        cross join lateral (
          select * from ${table} where merchant_id = $1 and mode = $2 and id = wanted.id offset 0
        ) s
        ${from}
        where ${where}`,
    ),
  };
}

const walletNumber = `left join lateral (
          select account_number from wallets where merchant_id = $1 and mode = $2 and id = s.wallet_id offset 0
        ) w on true`;

const child = (table: string, event: string, kind: DocumentKind): Source =>
  source({
    table,
    event,
    kind,
    sessionKind: null,
    names: texts('s.name'),
    codes: texts('w.account_number', hex('s.id')),
    from: walletNumber,
  });

/** The tables in the order in which an index is filled: small ones first. */
export const SOURCES: readonly Source[] = [
  child('stores', 'store', 'STORE'),
  child('subaccounts', 'subaccount', 'SUBACCOUNT'),
  source({
    table: 'beneficiaries',
    event: 'beneficiary',
    kind: 'BENEFICIARY',
    sessionKind: null,
    names: texts('s.nickname', 's.account_name'),
    codes: texts('s.account_number'),
    where: `s.status <> 'REMOVED'`,
    mayGo: true,
  }),
  source({
    table: 'batches',
    event: 'batch',
    kind: 'BATCH',
    sessionKind: null,
    amount: `nullif(coalesce(s.amount_minor, s.valid_minor), 0)`,
    names: texts('s.file_name'),
    codes: texts(hex('s.id')),
  }),
  source({
    table: 'customers',
    event: 'customer',
    kind: 'CUSTOMER',
    sessionKind: null,
    names: texts('s.name', 's.email'),
    codes: texts('s.phone_number', hex('s.id')),
  }),
  source({
    table: 'inbound_payments',
    event: 'inbound_payment',
    kind: 'PAYMENT',
    sessionKind: null,
    createdAt: 's.confirmed_at',
    amount: 's.amount_minor',
    names: texts('s.payer_name'),
    codes: texts(
      's.session_id',
      's.provider_reference',
      's.provider_transaction_id',
      's.payer_account_number',
      hex('s.id'),
    ),
  }),
  source({
    table: 'refunds',
    event: 'refund',
    kind: 'REFUND',
    sessionKind: null,
    amount: 's.amount_minor',
    names: texts('p.payer_name', 's.account_name', 's.note'),
    codes: texts('s.client_reference', 's.provider_refund_id', 's.account_number', hex('s.id')),
    from: `cross join lateral (
          select payer_name from inbound_payments where merchant_id = $1 and mode = $2 and id = s.payment_id offset 0
        ) p`,
  }),
  source({
    table: 'payouts',
    event: 'payout',
    sameAfter: ['payout.processing'],
    kind: 'PAYOUT',
    sessionKind: 'PAYOUT_SESSION',
    createdAt: 't.created_at',
    amount: 't.amount_minor',
    names: texts('t.beneficiary_account_name', 'i.given_name'),
    codes: texts('t.beneficiary_account_number', 't.client_reference', hex('s.id')),
    session: 's.session_id',
    from: `cross join lateral (
          select * from transactions where merchant_id = $1 and mode = $2 and id = s.id offset 0
        ) t
        left join lateral (
          select given_name from batch_items
           where s.batch_id is not null and merchant_id = $1 and mode = $2 and id = s.id offset 0
        ) i on true`,
  }),
  source({
    table: 'transactions',
    event: 'transaction',
    kind: 'TRANSACTION',
    sessionKind: null,
    amount: 's.amount_minor',
    names: texts('s.subject_name', 's.narration'),
    codes: texts('s.client_reference', hex('s.id')),
    // Debits of stores are most of all transactions: they are found by their key, and cost nothing here.
    where: `s.category not in ('STORE_TO_MERCHANT', 'PAYOUT', 'COLLECTION')`,
  }),
];

/**
 * The events of debits of stores, by how they begin. They are skipped where they are read, because thousands of such
 * transactions a second need no look. One that begins otherwise is looked at and left out then.
 */
export const STORE_DEBITS: PassedOver = {
  type: 'transaction.succeeded',
  begins: ({ subject, withoutHyphens }) =>
    `{"transactionId":"${subject}","reference":"MNL${withoutHyphens}","category":"STORE_TO_MERCHANT",`,
};

export interface ReferredRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  category: TransactionCategory;
  created_at: Date;
}

const REFERRED = 'merchant_id, mode, id, category, created_at';

/**
 * Transactions by the beginning of our reference. By the key, so that what was made a moment ago is found, and the debits
 * of stores. $3 and $4 the first and the last id, $5 how many.
 */
export const listTransactionsByBeginning = statement<ReferredRow>(
  'list-transactions-by-beginning',
  `select ${REFERRED} from transactions
    where merchant_id = $1 and mode = $2 and id >= $3 and id <= $4 order by id desc limit $5`,
);

/** Transactions by the merchant's own reference, as it was given. $4 how many. */
export const listTransactionsByOwnReference = statement<ReferredRow>(
  'list-transactions-by-own-reference',
  `select ${REFERRED} from transactions
    where merchant_id = $1 and mode = $2 and client_reference = $3 and client_reference is not null limit $4`,
);

/**
 * The transactions with this id, of any merchant: the key of each merchant is looked at. Outside money transactions.
 */
export const listTransactionsOfAnyone = statement<ReferredRow>(
  'list-transactions-of-anyone',
  `select t.merchant_id, t.mode, t.id, t.category, t.created_at
     from merchants m
     join transactions t on t.merchant_id = m.id and t.mode in ('LIVE', 'SANDBOX') and t.id = $1
    limit $2`,
);
