import { statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

/** A hit as it is now. */
export interface HitRow {
  merchant_id: string;
  mode: Mode | null;
  id: string;
  /** The reference of the merchant or the provider. Null where it is called by its id. */
  reference: string | null;
  title: string;
  subtitle: string;
  amount_minor: bigint | null;
  status: string | null;
  created_at: Date;
}

const words = (...values: string[]): string => `concat_ws(' ', ${values.join(', ')})`;

interface Shown {
  table: string;
  reference?: string;
  title: string;
  subtitle: string;
  amount?: string;
  status?: string;
  createdAt?: string;
  from?: string;
  where?: string;
}

/** `$1` merchants, `$2` modes and `$3` ids, as many of each: found one by one by their keys. */
function shown(name: string, given: Shown) {
  const { table, title, subtitle, reference = 'null::text', amount = 'null::bigint', status = 'null::text' } = given;
  const { createdAt = 's.created_at', from = '', where = 'true' } = given;
  return statement<HitRow>(
    `list-found-${name}`,
    `select s.merchant_id, s.mode, s.id, ${reference} as reference, coalesce(${title}, '') as title,
            coalesce(${subtitle}, '') as subtitle, ${amount} as amount_minor, ${status} as status,
            ${createdAt} as created_at
       from unnest($1::uuid[], $2::text[], $3::uuid[]) as wanted (merchant_id, mode, id)
       join ${table} s on s.merchant_id = wanted.merchant_id and s.mode = wanted.mode and s.id = wanted.id
      ${from}
      where ${where}`,
  );
}

const child = (name: string, table: string) =>
  shown(name, {
    table,
    title: 's.name',
    subtitle: `coalesce(w.account_number, '')`,
    from: 'left join wallets w on w.merchant_id = s.merchant_id and w.mode = s.mode and w.id = s.wallet_id',
  });

export const listFoundPayouts = shown('payouts', {
  table: 'transactions',
  reference: 's.client_reference',
  title: 's.beneficiary_account_name',
  subtitle: words('s.beneficiary_bank_name', 's.beneficiary_account_number'),
  amount: 's.amount_minor',
  status: 's.status',
});

export const listFoundTransactions = shown('transactions', {
  table: 'transactions',
  reference: 's.client_reference',
  title: `coalesce(s.subject_name, nullif(s.narration, ''), s.description)`,
  subtitle: 's.description',
  amount: 's.amount_minor',
  status: 's.status',
});

export const listFoundPayments = shown('payments', {
  table: 'inbound_payments',
  reference: 's.session_id',
  title: `coalesce(s.payer_name, 'Unknown payer')`,
  subtitle: words('s.payer_bank_name', 's.payer_account_number'),
  amount: 's.amount_minor',
  status: 's.status',
  createdAt: 's.confirmed_at',
});

export const listFoundRefunds = shown('refunds', {
  table: 'refunds',
  reference: 's.client_reference',
  title: `coalesce(s.account_name, p.payer_name, 'Unknown payer')`,
  subtitle: `coalesce(s.note, 'Refund')`,
  amount: 's.amount_minor',
  status: 's.status',
  from: 'join inbound_payments p on p.merchant_id = s.merchant_id and p.mode = s.mode and p.id = s.payment_id',
});

export const listFoundBatches = shown('batches', {
  table: 'batches',
  title: `coalesce(s.file_name, 'Bulk payout')`,
  subtitle: `case when s.item_count = 1 then '1 payout' else s.item_count || ' payouts' end`,
  amount: 'nullif(coalesce(s.amount_minor, s.valid_minor), 0)',
  status: 's.status',
});

export const listFoundBeneficiaries = shown('beneficiaries', {
  table: 'beneficiaries',
  title: 's.account_name',
  subtitle: words('s.nickname', 's.bank_name', 's.account_number'),
  status: 's.status',
  where: `s.status <> 'REMOVED'`,
});

export const listFoundCustomers = shown('customers', { table: 'customers', title: 's.name', subtitle: 's.email' });
export const listFoundStores = child('stores', 'stores');
export const listFoundSubaccounts = child('subaccounts', 'subaccounts');

/** The people of a merchant who can sign in. They are few, and compared here. */
export const listPeopleToSearch = statement<HitRow>(
  'list-people-to-search',
  `select coalesce(merchant_id, '00000000-0000-0000-0000-000000000000') as merchant_id, null::text as mode, id,
          null::text as reference, coalesce(nullif(trim(first_name || ' ' || last_name), ''), email) as title,
          email as subtitle, null::bigint as amount_minor, role as status, created_at
     from people
    where merchant_id = $1 and disabled_at is null
    order by id limit 2000`,
);

/**
 * People of the whole installation, merchants' and the operator's: one read through all of them. $1 what each has to have in
 * name or address, as patterns, $2 how many. The nil UUID is the operator.
 */
export const searchPeople = statement<HitRow>(
  'search-people-of-anyone',
  `select coalesce(merchant_id, '00000000-0000-0000-0000-000000000000') as merchant_id, null::text as mode, id,
          null::text as reference, coalesce(nullif(trim(first_name || ' ' || last_name), ''), email) as title,
          email as subtitle, null::bigint as amount_minor, role as status, created_at
     from people
    where (first_name || ' ' || last_name || ' ' || email) ilike all ($1::text[]) and disabled_at is null
    order by id desc limit $2`,
);
