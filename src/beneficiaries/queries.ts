import { stateMachine } from '../ledger/index.ts';
import { setInsert, statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';

export const BENEFICIARY_STATUSES = ['PENDING_APPROVAL', 'ACTIVE', 'REMOVED'] as const;

export type BeneficiaryStatus = (typeof BENEFICIARY_STATUSES)[number];

export const beneficiaryStates = stateMachine<BeneficiaryStatus>('beneficiary', 'beneficiaries', {
  PENDING_APPROVAL: ['ACTIVE', 'REMOVED'],
  ACTIVE: ['REMOVED'],
  REMOVED: [],
});

export interface BeneficiaryRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  nickname: string | null;
  bank_code: string;
  bank_name: string;
  account_number: string;
  account_name: string;
  status: BeneficiaryStatus;
  reason: string | null;
  approval_id: string | null;
  rules_version: number;
  created_at: Date;
  updated_at: Date;
}

export const insertBeneficiaries = setInsert<BeneficiaryRow>('beneficiaries', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  nickname: 'text',
  bank_code: 'text',
  bank_name: 'text',
  account_number: 'text',
  account_name: 'text',
  status: 'text',
  reason: 'text',
  approval_id: 'uuid',
  rules_version: 'integer',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
});

export const findBeneficiary = statement<BeneficiaryRow>(
  'find-beneficiary',
  'select * from beneficiaries where merchant_id = $1 and mode = $2 and id = $3',
);

export const findBeneficiaryOfAccount = statement<BeneficiaryRow>(
  'find-beneficiary-of-account',
  `select * from beneficiaries
    where merchant_id = $1 and mode = $2 and bank_code = $3 and account_number = $4 and status <> 'REMOVED'`,
);

type ListedBeneficiary = BeneficiaryRow & { sort_name: string };

/** By name, as the database sorts it. */
const BY_NAME: ListOrder<ListedBeneficiary> = {
  direction: 'asc',
  keys: [
    { sql: 'lower(coalesce(nickname, account_name))', type: 'text', of: ({ sort_name }) => sort_name },
    { sql: 'id', type: 'uuid', of: ({ id }) => id },
  ],
};

/** @param search is looked for in names and account numbers, in lower case */
export function beneficiaryList({ merchantId, mode }: Tenant, search: string | undefined): List<ListedBeneficiary> {
  const values: unknown[] = [merchantId, mode];
  const where = ['merchant_id = $1', 'mode = $2', `status <> 'REMOVED'`];
  if (search !== undefined) {
    const texts = `lower(concat_ws(' ', nickname, account_name, bank_name, account_number))`;
    where.push(`strpos(${texts}, $${values.push(search)}) > 0`);
  }
  return {
    name: 'beneficiaries',
    of: [merchantId, mode, search],
    order: BY_NAME,
    columns: '*, lower(coalesce(nickname, account_name)) as sort_name',
    from: 'beneficiaries',
    where,
    values,
  };
}
