const columns = (names: string): readonly string[] => names.split(' ');

/**
 * Every table that says something of money that moved, is held, or may leave, with its columns: all of them are mutated,
 * and the proof has to see it. A column that a migration adds is added here once its mutations are found, or once it is
 * known why one that survives is harmless.
 */
export const MONEY: Readonly<Record<string, readonly string[]>> = {
  account_numbers: columns('account_number merchant_id mode wallet_id created_at'),
  accounts: columns(
    'merchant_id mode id kind owner_id currency debits_posted_minor credits_posted_minor debits_pending_minor credits_pending_minor sequence created_at',
  ),
  approval_decisions: columns(
    'merchant_id mode approval_id person_id decision person_name person_role digest note decided_at',
  ),
  approval_rules: columns('merchant_id mode version id is_enabled tiers approval_id made_by made_at operator reason'),
  approvals: columns(
    'merchant_id mode id kind subject_id title amount_minor charges_minor currency digest shown payload status reason needed given rules_version made_by made_by_name made_via made_by_key made_at expires_at updated_at made_ip',
  ),
  batch_chunks: columns(
    'merchant_id mode batch_id chunk id first_position last_position item_count amount_minor fee_minor vat_minor stamp_duty_minor amount_hold_id fee_hold_id vat_hold_id stamp_duty_hold_id due_at failed_at items_digest',
  ),
  batch_items: columns(
    'merchant_id mode id batch_id position amount_minor bank_code account_number narration phone_number account_name bank_name is_valid validated_at created_at given_name match_score given_amount directory_bank_code repeats item_errors item_warnings accepted origin_item_id',
  ),
  archived_keys: columns('merchant_id mode fingerprint transaction_id'),
  availability_rules: columns('id merchant_id mode availability effective_from source created_at digest channel'),
  batches: columns(
    'merchant_id mode id status reason purpose scenario version item_count open_items due_at expires_at dispatched_at created_at updated_at source file_name valid_items invalid_items succeeded_items failed_items reversed_items items_digest digest_version amount_minor fee_minor vat_minor stamp_duty_minor looked_up_to silent_since warned_items low_match_items dispatched_digest counted_on approval_id rules_version duplicate_items duplicate_minor holds_keys holding_since allow_duplicate action_id origin_batch_id valid_minor succeeded_minor repeated_batch_id',
  ),
  beneficiaries: columns(
    'merchant_id mode id nickname bank_code bank_name account_number account_name status reason approval_id rules_version created_at updated_at',
  ),
  books: columns('merchant_id mode event_sequence active_at'),
  collection_settlements: columns(
    'merchant_id mode payment_id id settlement_id line_id gross_minor fee_minor settled_at',
  ),
  compliance_cases: columns(
    'merchant_id mode id subject_type subject_id reason cause freeze_id facts status opened_at decided_at updated_at digest',
  ),
  compliance_proposals: columns(
    'id mode action freeze_id merchant_id case_id note digest status reason proposed_by proposed_at decided_by decided_at updated_at',
  ),
  credit_directory: columns(
    'rail provider_transaction_id session_id merchant_id mode payment_id wallet_id virtual_account_id account_number noted_at',
  ),
  daily_total_cursors: columns('merchant_id mode event_sequence has_statement_totals'),
  daily_totals: columns(
    'merchant_id mode wallet_id day through_sequence credits_minor debits_minor own_credits_minor own_debits_minor charges_minor returned_charges_minor',
  ),
  daily_closes: columns(
    'id mode day version figures figures_digest signed_by signed_name signed_at second_by second_name second_at reopened_by reopened_name reopened_at reopened_reason digest',
  ),
  deduction_settlements: columns(
    'merchant_id mode subject_type subject_id id settlement_id line_id receivable_id amount_minor fee_minor settled_at',
  ),
  dedupe_keys: columns(
    'merchant_id mode subject_id scope value batch_id from_at until_at window_seconds is_meant sequence',
  ),
  dispute_answers: columns(
    'merchant_id mode id dispute_id action content files status reason made_by made_at attempts due_at ended_at digest',
  ),
  dispute_directory: columns(
    'rail provider_dispute_id mode status reason source reported merchant_id payment_id dispute_id attempts due_at first_seen_at updated_at decided_by note',
  ),
  dispute_evidence: columns('merchant_id mode dispute_id id source state code reported received_at digest'),
  dispute_files: columns(
    'merchant_id mode answer_id id place file_name content_type size_bytes content_hash content_sealed uploaded_at',
  ),
  dispute_proposals: columns(
    'merchant_id mode id action dispute_id payment_id rail provider_dispute_id amount_minor category message due_at source note digest status reason proposed_by proposed_at decided_by decided_at updated_at',
  ),
  dispute_repayments: columns('merchant_id mode dispute_id id wallet_id amount_minor created_at'),
  disputes: columns(
    'merchant_id mode id payment_id rail provider_dispute_id source status reason operator_reason category message amount_minor disputed_minor held_minor taken_minor loss_minor repaid_minor currency wallet_id receivable_id hold_id answer answer_status answer_reason version due_at check_at remind_at checks opened_at updated_at ended_at looked_note looked_by looked_at',
  ),
  sandbox_disputes: columns(
    'merchant_id mode id credit_id amount_minor category message scenario opened_at due_at answer answered_at files next_webhook_at',
  ),
  event_archives: columns(
    'merchant_id mode number id first_sequence last_sequence events keys file_name file_bytes file_hash content_hash head archived_at removed_to',
  ),
  event_cursors: columns('merchant_id mode reader event_sequence'),
  event_rows: columns(
    'merchant_id mode sequence id type subject_id data created_at idempotency_key request_id template_id',
  ),
  event_templates: columns('merchant_id id text value_count created_at'),
  fee_rules: columns(
    'id currency kind min_amount_minor max_amount_minor flat_minor rate_basis_points payer exempt_purposes rounding effective_from effective_to source digest cap_minor channel',
  ),
  freezes: columns(
    'id mode subject bank_code bank_name account_number payer_name reference merchant_id reason legal_basis owner starts_at in_force_at ends_at made_by made_at lifted_at lift_id digest',
  ),
  idempotency_keys: columns(
    'merchant_id mode key input_hash transaction_id answer_status answer_body answer_message event_sequence created_at',
  ),
  inbound_evidence: columns('merchant_id mode payment_id id source outcome code reported received_at digest'),
  inbound_payments: columns(
    'merchant_id mode id wallet_id virtual_account_id rail provider_transaction_id provider_reference session_id account_number amount_minor provider_fee_minor currency status reason receivable_id payer_name payer_account_number payer_bank_name narration paid_at confirmed_at updated_at attributed_wallet_id fee_minor vat_minor customer_id channel reserve_minor',
  ),
  limit_usage: columns('merchant_id mode scope period used_minor'),
  manual_credit_references: columns('mode bank_code reference_key merchant_id manual_credit_id'),
  manual_credits: columns(
    'merchant_id mode id transaction_id wallet_id amount_minor currency bank_code bank_name bank_reference reference_key received_on payer_name note document_name document_type document_bytes document_hash document_digest document_sealed digest status reason proposed_by proposed_at decided_by decided_at updated_at',
  ),
  merchant_daily_totals: columns(
    'merchant_id mode day credits_minor debits_minor own_credits_minor own_debits_minor charges_minor returned_charges_minor',
  ),
  open_credits: columns(
    'rail credit_key mode provider_transaction_id provider_reference session_id account_number reported_minor source status reason code confirmed attempts due_at first_seen_at updated_at digest',
  ),
  open_credit_proposals: columns(
    'id rail credit_key mode action merchant_id wallet_id provider_transaction_id amount_minor facts_digest source note digest status reason proposed_by proposed_at decided_by decided_at updated_at',
  ),
  outcome_proposals: columns(
    'merchant_id mode id payout_id outcome source note facts_digest status reason proposed_by proposed_at decided_by decided_at updated_at digest',
  ),
  payment_session_accounts: columns(
    'merchant_id mode session_id account_number bank_code bank_name account_name opened_at',
  ),
  payment_session_payments: columns('merchant_id mode session_id payment_id version amount_minor note received_at'),
  payment_sessions: columns(
    'merchant_id mode id reference content_hash status reason message version amount_minor payable_minor received_minor currency amount_rule wallet_id rail opens channels page_channels customer_name customer_email customer_phone description metadata return_url cancel_url opened_by origin provider_reference ussd_code page_url attempts due_at checked_at opened_at paid_at expires_at created_at updated_at link_id customer_id fee_bearer fee_minor vat_minor',
  ),
  merchant_settlement_payouts: columns('merchant_id mode payout_id settlement_id attempt created_at'),
  merchant_settlement_rules: columns(
    'id merchant_id mode is_enabled minimum_minor window_seconds cooling_off_seconds effective_from source created_at digest',
  ),
  merchant_settlement_settings: columns(
    'merchant_id mode version id schedule minimum_minor keep_minor time_of_day changed_by changed_at digest',
  ),
  merchant_settlements: columns(
    'merchant_id mode id number trigger status reason wallet_id business_day cut_off after_sequence upto_sequence opening_minor closing_minor sums net_minor carried_in_minor amount_minor carried_out_minor bank_code bank_name account_number account_name payout_id attempts made_by due_at created_at updated_at',
  ),
  wallet_settlement_settings: columns(
    'merchant_id mode wallet_id version id is_settled keep_minor changed_by changed_at digest',
  ),
  wallet_settlement_states: columns(
    'merchant_id mode wallet_id is_settled first_sequence first_balance_minor result updated_at',
  ),
  payout_attempts: columns(
    'merchant_id mode payout_id id kind started_at ended_at outcome code reason message session_id rail reported digest',
  ),
  payout_directory: columns('merchant_id payout_id mode status amount_minor rail account_number session_id'),
  payout_settlements: columns('merchant_id mode payout_id kind amount_minor transfer_id import_id settled_at'),
  payouts: columns(
    'merchant_id mode id batch_id purpose phone_number rail rail_reference scenario scheduled_for next_step due_at attempts first_sent_at session_id rail_code fee_minor vat_minor stamp_duty_minor amount_hold_id fee_hold_id vat_hold_id stamp_duty_hold_id counted_on lease_id sent_at refused_by ended_by operator_reason operator_since approval_id rules_version allow_duplicate',
  ),
  provider_settlement_lines: columns(
    'settlement_id id line_number provider_transaction_id session_id reference gross_minor fee_minor net_minor currency line_mode occurred_at result detail merchant_id payment_id our_amount_minor our_fee_minor resolved_how resolved_note resolved_by resolved_at digest deduction subject_type subject_id receivable_id',
  ),
  provider_settlements: columns(
    'id rail mode reference lump_minor currency settled_on cut_off file_name file_hash status line_count imported_by created_at decided_by decided_at note updated_at digest',
  ),
  rail_daily_totals: columns('day mode rail outcome duration_step payouts amount_minor'),
  rail_references: columns('rail rail_reference merchant_id mode payout_id'),
  receiving_numbers: columns('rail account_number virtual_account_id merchant_id mode wallet_id opened_at closed_at'),
  refund_attempts: columns(
    'merchant_id mode refund_id id rail kind started_at ended_at outcome code reason message provider_refund_id reported digest',
  ),
  refund_outcome_proposals: columns(
    'merchant_id mode id refund_id outcome source note facts_digest digest status reason proposed_by proposed_at decided_by decided_at updated_at',
  ),
  refund_rules: columns('merchant_id mode version id late excess changed_by changed_at digest'),
  payments_to_refund: columns(
    'merchant_id mode id cause due_minor rule_version status reason refund_id blocked_since due_at attempts created_at updated_at',
  ),
  refund_keys: columns('rail key merchant_id mode refund_id'),
  refunds: columns(
    'merchant_id mode id payment_id wallet_id way cause amount_minor currency note client_reference status reason rail receivable_id hold_id payout_id provider_refund_id bank_code account_number account_name counted_on allow_duplicate scenario approval_id rules_version next_step due_at lease_id attempts first_sent_at sent_at operator_reason operator_since created_at updated_at',
  ),
  reservations: columns('merchant_id mode scope value subject_id reserved_at'),
  reserve_rules: columns('id merchant_id mode channel rate_basis_points days effective_from source created_at digest'),
  reserves: columns(
    'merchant_id mode payment_id wallet_id rule_id amount_minor kept_at release_on due_at released_at release_id',
  ),
  sandbox_credits: columns(
    'merchant_id mode id session_id account_number amount_minor currency payer_name payer_account_number payer_bank_name narration scenario status paid_at counted_from queries webhooks_delivered next_webhook_at channel',
  ),
  sandbox_rail_transfers: columns(
    'merchant_id mode rail_reference amount_minor currency bank_code account_number account_name narration scenario session_id first_sent_at received_at queries webhooks_delivered next_webhook_at',
  ),
  sandbox_refunds: columns(
    'merchant_id mode reference credit_id amount_minor currency scenario account_number received_at first_asked_at queries',
  ),
  settlement_imports: columns(
    'id rail mode merchant_id file_name file_hash status line_count period_from period_to imported_by created_at updated_at digest',
  ),
  settlement_lines: columns(
    'import_id id line_number reference session_id amount_minor currency occurred_at status_text kind result detail merchant_id payout_id our_status our_amount_minor resolved_how resolved_note resolved_by resolved_at settles settled_at account_number bank_code digest',
  ),
  state_changes: columns('merchant_id mode subject subject_id id from_state to_state reason created_at'),
  statement_totals: columns('merchant_id mode account_id sequence entries credits_minor debits_minor'),
  stores: columns('merchant_id mode id name wallet_id created_at'),
  subaccounts: columns('merchant_id mode id name wallet_id created_at'),
  suspense_proposals: columns(
    'merchant_id mode id payment_id action wallet_id amount_minor facts_digest source note digest status reason proposed_by proposed_at decided_by decided_at updated_at',
  ),
  transactions: columns(
    'merchant_id mode id category status reason amount_minor charges_minor currency narration description client_reference batch_id wallet_id from_wallet_id to_wallet_id provider_wallet_id subject_id subject_name beneficiary_bank_name beneficiary_bank_code beneficiary_account_number beneficiary_account_name originator_bank_name originator_bank_code originator_account_number originator_account_name metadata created_at updated_at paid_at',
  ),
  transfers: columns(
    'merchant_id mode transaction_id id kind pending_id debit_account_id credit_account_id amount_minor currency code debit_sequence credit_sequence debit_balance_minor credit_balance_minor created_at',
  ),
  unique_keys: columns('merchant_id mode scope value subject_id created_at'),
  virtual_account_numbers: columns(
    'merchant_id mode wallet_id virtual_account_id account_number bank_code bank_name account_name opened_at closed_at',
  ),
  virtual_accounts: columns(
    'merchant_id mode id wallet_id rail status reason message preferred_bank provider_account_id attempts due_at requested_at updated_at customer_id holder_name holder_email holder_phone identity_sealed closed_at',
  ),
  wallets: columns('merchant_id mode id owner_id bank_code bank_name account_name account_number created_at'),
};

/**
 * Tables that say nothing of money that moved, is held, or may leave, each with the reason. Every table
 * of the migrated database stands here or above.
 */
export const NOT_MONEY: Readonly<Record<string, string>> = {
  lost_archives:
    'which files of archived events were abandoned: every proof that cannot read one says so, whether it is named here or not',
  sandbox_settlements:
    'the simulated bank’s own book of what it settled; what is wrong in it is compared and named as a file is',
  dispute_polls: 'how far lists of disputes were read; each reading goes back a day',
  schema_migrations: 'which migrations were applied',
  bank_holidays:
    'days on which banks are closed: a day more or less moves when a settlement is made, and not what it is',
  merchant_settlement_schedules:
    'when a settlement is due; where the first one begins is held against the books and against that settlement',
  search_documents:
    'what can be found by searching: words that code makes of the rows, which no statement can follow; that each row has its document, and each document its row, is proven, and what is found is read from the row',
  search_counts: 'how many of them were made; nothing goes by it but where the next one is put',
  search_cursors: 'how far they are made; that nobody is ahead of the books is proven, and who is behind reads on',
  // Who may ask.
  api_key_directory: 'leads from a key to its merchant',
  api_keys: 'who may ask for what',
  pins: 'what is asked before money moves',
  peppers: 'which secrets hashes are under, by id',
  encryption_keys: 'which secret values are sealed under, by id',
  people: 'who may sign in',
  sessions: 'who is signed in',
  links: 'what a link in a mail opens',
  sign_in_attempts: 'counts wrong passwords',
  sign_ups: 'who is no merchant yet',
  invitations: 'who may become a person',
  people_changes: 'what is to become of people, with who approves it',
  devices: 'by which browsers people came',
  // Who the merchants are.
  merchants: 'profiles',
  merchant_status_changes: 'what the operator decided about merchants',
  merchant_services: 'what merchants may use',
  merchant_onboarding: 'what the review of a merchant asks for',
  merchant_documents: 'sealed papers',
  services: 'reference data',
  // Settings: by which rails, within which limits. What was done by them is in the tables of payouts.
  banks: 'reference data',
  tier_limits: 'settings: by them a payment is held, and its case is proven',
  merchant_tiers: 'settings, as dated rows',
  report_thresholds: 'settings of a list that is exported',
  screening_lists: 'what names are screened against; what they held has its case, which is proven',
  screening_entries: 'what these lists name',
  payout_limits: 'settings; a merchant’s own are held against their approvals',
  journal_accounts: 'settings: what files for accountants call the accounts',
  rail_accounts:
    'settings, with sealed credentials; whose receivables an account has, and its mode, are held against payments',
  tenant_rails: 'settings',
  default_rails: 'settings',
  collection_settings: 'what public keys may open; what they opened is in the table of payment sessions',
  collection_origins: 'from which pages a browser may ask',
  payment_links: 'what payers may open; what they opened, and when, is held against it',
  receipt_links: 'who may look at a receipt, and until when',
  receipt_link_tokens: 'leads from an address to such a link',
  payment_link_slugs: 'leads from an address to a payment link, and is held against it',
  customers: 'whom a merchant wrote down; that sessions name some who are there is proven',
  default_wallet_providers: 'settings; that each is of its mode is proven',
  provider_settlement_polls: 'up to where lists were read; what is read twice is noted once',
  provider_settlement_fetches:
    'which settlements are to be read; what was read is a settlement, which is proven, and its lump sum is held against its lines',
  credit_polls: 'up to where lists were read: what is read twice comes to the same, and nobody reads past the present',
  // What was sent, and to whom.
  announcements: 'what the operator tells merchants',
  announcement_merchants: 'to which merchants',
  announcement_dismissals: 'who has read it',
  mails: 'the outbox',
  webhook_endpoints: 'where events are sent',
  webhook_secrets: 'by what a receiver knows us',
  webhook_deliveries: 'what became of the delivery of an event',
  webhook_attempts: 'calls that sent an event',
  // Who did what: sealed in a chain of its own, which has tests of its own.
  audit_entries: 'the audit log',
  audit_seals: 'its seals',
  audit_unsealed: 'what waits for its seal',
  request_log: 'what programs asked lately',
  request_log_gaps: 'what the request log left out',
  support_views: 'who of the operator’s staff may read a merchant’s pages; what they read is in the audit log',
  request_log_bodies: 'what these programs sent and were answered, without what is secret',
  request_log_counts: 'how many requests there were',
  request_log_settings: 'settings: whether bodies are kept',
  // What was compared or proved at one moment; nothing goes by it.
  verify_runs: 'proofs that were made',
  float_checks: 'balances of rails beside ours, as of a moment',
  file_mappings: 'what the columns of files were, for the next file',
  saved_views: 'filters and columns of lists that people keep under a name',
  batch_actions: 'what was done to items together before the dispatch; what is dispatched is proved by its digest',
  batch_action_items: 'items as they were before that, for undoing it',
  batch_uploads: 'that rows of a file are expected, before there is a batch',
};
