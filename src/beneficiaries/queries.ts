import { setInsert, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import type { BeneficiaryStatus } from './beneficiary-state.ts';

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
  created_at: string | Date;
  updated_at: string | Date;
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

/** `$3` is looked for in names and account numbers, in lower case; null is any. */
const LISTED = `merchant_id = $1 and mode = $2 and status <> 'REMOVED'
      and ($3::text is null or strpos(lower(concat_ws(' ', nickname, account_name, bank_name, account_number)), $3) > 0)`;

/** By name. */
export const listBeneficiaries = statement<BeneficiaryRow>(
  'list-beneficiaries',
  `select * from beneficiaries where ${LISTED}
    order by lower(coalesce(nickname, account_name)), id offset $4 limit $5`,
);

export const countBeneficiaries = statement<{ total: number }>(
  'count-beneficiaries',
  `select count(*)::int as total from beneficiaries where ${LISTED}`,
);
