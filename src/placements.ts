import type { Placement } from './platform/db/distribute.ts';

const named = (names: string): string[] => names.trim().split(/\s+/);
const placed = (names: string, placement: Placement): Record<string, Placement> =>
  Object.fromEntries(named(names).map((name) => [name, placement]));

/** Tables of merchants: everything of one is on one shard, so that a movement is of one. */
const OF_MERCHANTS = `
  accounts announcement_dismissals announcement_merchants api_keys approval_decisions approval_rules approvals archived_keys
  audit_entries audit_seals audit_unsealed batch_action_items batch_actions batch_chunks batch_items batch_uploads
  batches beneficiaries books collection_settings collection_settlements compliance_cases customers
  daily_total_cursors daily_totals deduction_settlements dedupe_keys dispute_answers dispute_evidence dispute_files
  dispute_proposals dispute_repayments disputes event_archives event_cursors event_rows event_templates file_mappings idempotency_keys
  inbound_evidence inbound_payments limit_usage lost_archives manual_credits merchant_daily_totals merchant_documents
  merchant_onboarding merchant_settlement_payouts merchant_settlement_schedules merchant_settlement_settings
  merchant_settlements merchant_status_changes merchant_tiers outcome_proposals payment_links
  payment_session_accounts payment_session_payments payment_sessions payments_to_refund payout_attempts
  payout_directory payout_settlements payouts receipt_links refund_attempts refund_outcome_proposals refund_rules
  refunds request_log request_log_bodies request_log_counts request_log_gaps request_log_settings reservations
  reserves sandbox_credits sandbox_disputes sandbox_rail_transfers sandbox_refunds sandbox_settlements saved_views
  search_counts search_cursors search_documents state_changes statement_totals stores subaccounts support_views
  suspense_proposals tenant_rails transactions transfers unique_keys virtual_account_numbers virtual_accounts
  wallet_settlement_settings wallet_settlement_states wallets webhook_attempts webhook_deliveries webhook_endpoints
  webhook_secrets
`;

/** Small, read beside tables of merchants, seldom written: each server has a copy of its own. */
const ON_EACH_SERVER = `
  merchants merchant_services pins services banks fee_rules payout_limits tier_limits report_thresholds
  availability_rules merchant_settlement_rules bank_holidays reserve_rules rail_accounts default_rails
  default_wallet_providers announcements journal_accounts people account_numbers receiving_numbers
  manual_credit_references payment_link_slugs receipt_link_tokens collection_origins refund_keys dispute_directory
  credit_directory rail_references sessions peppers encryption_keys
`;

/** Of the installation, or read by more than one key: they are on the coordinator, and a merchant adds few rows to them. */
const ON_THE_COORDINATOR = `
  devices sign_in_attempts links sign_ups invitations people_changes mails settlement_imports
  settlement_lines float_checks verify_runs open_credits open_credit_proposals credit_polls
  provider_settlements provider_settlement_lines provider_settlement_polls provider_settlement_fetches
  rail_daily_totals dispute_polls daily_closes freezes compliance_proposals screening_lists screening_entries
`;

/** Directories lie by what is looked up, which is all that is known then. */
const DIRECTORIES: Readonly<Record<string, Placement>> = {
  api_key_directory: { by: 'key_hash' },
};

/**
 * Where each table is in a database that Citus distributes: `npm run migrate -- --distribute` does it. A new table has its
 * place here.
 */
export const PLACEMENTS: Readonly<Record<string, Placement>> = {
  ...placed(OF_MERCHANTS, { by: 'merchant_id', beside: 'books' }),
  ...placed(ON_EACH_SERVER, 'each-server'),
  ...placed(ON_THE_COORDINATOR, 'coordinator'),
  ...DIRECTORIES,
};
