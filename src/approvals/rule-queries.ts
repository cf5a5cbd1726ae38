import { setInsert, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

export interface RulesRow {
  merchant_id: string;
  mode: Mode;
  version: number;
  id: string;
  is_enabled: boolean;
  /** JSON text. */
  tiers: string;
  approval_id: string | null;
  made_by: string | null;
  made_at: Date;
  /** Who switched approvals off at the operator's terminal, and why; null for changes of the merchant. */
  operator: string | null;
  reason: string | null;
}

export const insertApprovalRules = setInsert<RulesRow>('approval_rules', {
  merchant_id: 'uuid',
  mode: 'text',
  version: 'integer',
  id: 'uuid',
  is_enabled: 'boolean',
  tiers: 'text',
  approval_id: 'uuid',
  made_by: 'uuid',
  made_at: 'timestamptz',
  operator: 'text',
  reason: 'text',
});

/** The last version, and the merchant's flag, which counts where there is no version. */
export const findRulesInForce = statement<{
  is_maker_checker_enabled: boolean;
  version: number | null;
  id: string | null;
  is_enabled: boolean | null;
  tiers: string | null;
}>(
  'find-approval-rules-in-force',
  `select m.is_maker_checker_enabled, r.version, r.id, r.is_enabled, r.tiers
     from merchants m
     left join lateral (
       select version, id, is_enabled, tiers from approval_rules
        where merchant_id = $1 and mode = $2
        order by version desc limit 1
     ) r on true
    where m.id = $1`,
);

/**
 * A change that needed no approval was made while approvals were off. Where both modes were changed at one moment,
 * without knowing of each other, such a change replaces none that is on: what was on first stays, and otherwise the
 * later one counts.
 */
const REPLACES = `case
    when older.is_enabled and newer.approval_id is null and newer.operator is null
      then newer.is_enabled and older.approval_id is null and older.operator is null and newer.id < older.id
    when newer.is_enabled and older.approval_id is null and older.operator is null then true
    else newer.id > older.id
  end`;

/**
 * Modes whose rules are replaced by those of the merchant's other mode, with the version that they lack as their own
 * next one.
 */
const rulesBehind = (whose: string) => `with latest as (
     select distinct on (merchant_id, mode) * from approval_rules ${whose} order by merchant_id, mode, version desc
   )
   select newer.merchant_id, other.mode, coalesce(older.version, 0) + 1 as version, newer.id, newer.is_enabled,
          newer.tiers, newer.approval_id, newer.made_by, newer.made_at, newer.operator, newer.reason
     from latest newer
     join (values ('LIVE', 'SANDBOX'), ('SANDBOX', 'LIVE')) as other (than, mode) on other.than = newer.mode
     left join latest older on older.merchant_id = newer.merchant_id and older.mode = other.mode
    where (older.id is null or older.id <> newer.id and ${REPLACES})`;

export const listRulesBehindOf = statement<RulesRow>(
  'list-approval-rules-behind-of-merchant',
  rulesBehind('where merchant_id = $1'),
);

/** Those of mode $1, except for the tenants in $2. Reads across merchants, outside money transactions. */
export const listRulesBehind = statement<RulesRow>(
  'list-approval-rules-behind',
  `${rulesBehind('')}
      and other.mode = $1 and newer.merchant_id || '/' || other.mode <> all ($2::text[])
    order by newer.merchant_id
    limit $3`,
);
