import type { Row } from './catalog.ts';
import { isHarmlessLeaf, LEAVES } from './harmless-leaves.ts';
import type { Mutation } from './mutations.ts';

/** Why a column may be another one without the proof seeing it, and of which rows alone. */
interface Harmless {
  why: string;
  /** Of the row before; every row where it is missing. */
  when?: (row: Row['values'], kind: string) => boolean;
}

const WORDS = 'words for people; what was paid, and to whom, stands in other columns';
const WORK = 'when a worker looks at it next; a time that is missing or far away is found';
const UNSEEN =
  'of a batch that nobody has looked at since it changed: what is shown, and dispatched by its digest, is what is there then';
const MEANT = 'whether a repeat was meant: the guard says no sooner or later, and moves nothing by itself';
const FOUND_LAST = 'as was found at the last look: it is compared anew, under the lock, when it is dispatched';
const SETTINGS =
  'reports a setting, the sandbox’s clock, or of what is only asked for; what was paid is compared with itself';
/** Of these, what is said is what was set or asked for: no row of money has it. */
const isOfSetting = (row: Row['values']): boolean =>
  /^(merchant\.(updated|rails_chosen)|collection_settings\.updated|customer\.created|sandbox\.clock_advanced|(merchant|wallet)_settlement_settings\.updated)$/.test(
    row['type'] ?? '',
  );
const isSetting = (row: Row['values']): boolean =>
  /^(merchant\.|limit\.changed$|merchant_settlement_settings\.updated$|wallet_settlement_settings\.updated$|merchant_settlement\.paused$|merchant_settlement\.resumed$|collection_settings\.updated$|payment_link\.|customer\.|sandbox\.clock_advanced$|batch\.created$|batch\.items?_|approval\.requested$)/.test(
    row['type'] ?? '',
  );
const CHANGED_SINCE = 'of a batch whose items have changed since: it is made anew before it is shown';
const isUndispatched: Harmless['when'] = (row) => row['dispatched_at'] === null;
const REPORTED =
  'the books go by the dispute and its own evidence; that its number leads to it, and to its payment, is found';
const SIMULATED = 'the simulated bank’s own book: by it that bank plays its part, and no books of ours go by it';
const isOfClock: Harmless['when'] = (row) => row['scope'] === 'SANDBOX_CLOCK';
const REFUSED =
  'of a refusal, or of an answer to a question: nothing moved, and who repeats the request has it decided anew';
const isRefusal: Harmless['when'] = (row) =>
  Number(row['answer_status']) >= 400 || (row['transaction_id'] === null && row['event_sequence'] === null);
const isOver: Harmless['when'] = (row) => row['due_at'] === null;
const NOT_OPENED = 'of a request that nobody has answered yet: nothing can be paid to it';
const isRequested: Harmless['when'] = (row) => row['status'] === 'REQUESTED';

/** The provider is asked to open it, or to close what is closed here: it says what was answered last, and when. */
const isWithWorker: Harmless['when'] = (row) => row['status'] === 'REQUESTED' || row['status'] === 'CLOSED';
const LATE_ACCOUNTS = [
  'COLLECTION_RECEIVABLE',
  'PENDING_COLLECTIONS',
  'PROVIDER_COST',
  'MERCHANT_RECEIVABLE',
  'RESERVE',
];

const isUnusedDebt: Harmless['when'] = (row) => row['kind'] === 'MERCHANT_RECEIVABLE' && row['sequence'] === '0';
const NOTHING_TAKEN = 'how far the sandbox’s clock was moved this year, or that nothing of a payment has gone back';
const isOfClockOrNothing: Harmless['when'] = (row) => row['scope'] === 'SANDBOX_CLOCK' || row['used_minor'] === '0';

const LOOKED_AT_AGAIN =
  'the books are looked at again, or with their next event: what no day counts is added when it is read, and nothing is counted twice';
const NOTHING_READ =
  'of books without a payout in the directory: they are read from the start, and nothing of them is counted';

/** What survives, by `table.column`; `*` is the whole row. Anything else that survives fails the test. */
export const HARMLESS: Readonly<Record<string, Harmless>> = {
  ...Object.fromEntries(
    ['*', 'merchant_id', 'mode', 'owner_id'].map((column) => [
      `accounts.${column}`,
      {
        why: 'of an account of debts through which nothing has moved yet: it is opened when it is first needed',
        when: isUnusedDebt,
      },
    ]),
  ),
  'accounts.id': {
    why: 'of an account through which nothing has moved yet: it is found by its kind, and nothing names it',
    when: (row) => row['sequence'] === '0',
  },
  'accounts.created_at': {
    why: 'of an account that is opened when it is first needed: nothing goes by when that was',
    when: (row) => LATE_ACCOUNTS.includes(row['kind'] ?? ''),
  },
  'limit_usage.*': { why: NOTHING_TAKEN, when: isOfClockOrNothing },
  'limit_usage.scope': { why: NOTHING_TAKEN, when: isOfClockOrNothing },
  'limit_usage.merchant_id': { why: 'how far the sandbox’s clock was moved this year', when: isOfClock },
  'limit_usage.period': { why: 'how far the sandbox’s clock was moved this year', when: isOfClock },
  'limit_usage.used_minor': { why: 'how far the sandbox’s clock was moved this year', when: isOfClock },
  'approval_decisions.person_role': { why: 'what the role was called then; who decided stands beside it' },
  'approval_rules.id': { why: 'of a version that another one has replaced: versions are named by their number' },
  'merchant_settlement_rules.*': {
    why: 'terms that are missing: a settlement that is made is held against its own payout',
  },
  'wallet_settlement_states.result': { why: 'what came of the last turn, in a word; the next turn writes it anew' },
  'wallet_settlement_states.updated_at': { why: WORK },
  'merchant_settlements.made_by': { why: 'who asked for it, in words; the audit log has who it was' },
  'merchant_settlements.due_at': { why: WORK },
  'merchant_settlements.upto_sequence': {
    why: 'of the last one, at an entry behind it that only held or released money: nothing was posted between the two',
    when: (_row, kind) => kind === 'plus one' || kind === 'another',
  },
  'availability_rules.*': { why: 'a rule under which nothing was confirmed' },
  'batch_chunks.failed_at': { why: 'since when it cannot be expanded: by it a worker waits longer or shorter' },
  'batch_chunks.due_at': { why: WORK },
  'batch_chunks.items_digest': {
    why: 'of a chunk that is expanded, or none: its items are held against the digest of the batch too',
  },
  'batch_items.repeats': { why: FOUND_LAST },
  'batch_items.created_at': {
    why: 'when the items came, all at one moment before their batch, which has its own: nothing goes by it',
    when: (_, kind) => kind === 'a day earlier' || kind === 'another',
  },
  'batch_items.directory_bank_code': {
    why: 'by which a repeat is looked for; what is paid has its own bank, which is compared',
  },
  'batch_items.account_name': { why: UNSEEN },
  'batch_items.id': { why: 'of an item that was never paid: nothing names it' },
  'batch_items.position': { why: UNSEEN },
  'batch_items.amount_minor': { why: UNSEEN },
  'batch_items.bank_code': { why: UNSEEN },
  'batch_items.account_number': { why: UNSEEN },
  'batch_items.narration': { why: UNSEEN },
  'batch_items.phone_number': { why: UNSEEN },
  'batch_items.bank_name': { why: 'of an item that is not paid: the name of its bank is shown and nothing more' },
  'batch_items.item_errors': { why: WORDS },
  'batch_items.item_warnings': { why: WORDS },
  'batch_items.accepted': { why: WORDS },
  'batch_items.given_name': { why: WORDS },
  'batch_items.given_amount': { why: WORDS },
  'batch_items.match_score': { why: WORDS },
  'batch_items.origin_item_id': {
    why: 'exchanged between two items of one list: both are paid again by it, and by no other',
    when: (_, kind) => kind === 'swapped',
  },
  'batch_items.validated_at': { why: 'a moment within the minutes in which its batch was checked' },
  'batches.allow_duplicate': { why: MEANT },
  'batches.duplicate_items': { why: FOUND_LAST },
  'batches.duplicate_minor': { why: FOUND_LAST },
  'batches.holding_since': { why: 'another event of an approval, from which on its items count as taken' },
  'batches.scenario': { why: 'how the sandbox’s bank is to behave; live batches have none' },
  'batches.items_digest': { why: CHANGED_SINCE, when: isUndispatched },
  'batches.digest_version': {
    why: 'no item has changed between the two versions',
    when: isUndispatched,
  },
  'batches.due_at': { why: WORK },
  'batches.looked_up_to': { why: 'how far names were asked for; what is looked up twice comes to the same' },
  'batches.silent_since': { why: 'since when a bank gives no names; its batch waits for it a while longer or shorter' },
  'unique_keys.subject_id': {
    why: 'of a settlement that moved nothing, or a version of rules: that it was taken counts, and not by what',
    when: (row) => /^(SETTLEMENT|APPROVAL_RULES_VERSION)/.test(row['scope'] ?? ''),
  },
  'credit_directory.noted_at': { why: 'when the transfer was noted, no later than it was booked' },
  'daily_closes.*': {
    why: 'the last version of a day: the day reads as one that nobody has signed, no figure goes by it, and the audit log has who signed',
    when: (_row, kind) => kind === 'deleted',
  },
  'daily_totals.through_sequence': {
    why: 'where the entry beside it only held money, or released it: the day comes to the same with it as without',
    when: (_row, kind) => kind === 'plus one' || kind === 'minus one',
  },
  'dedupe_keys.*': { why: 'of a payout that is older than a day, or a second key of one' },
  'dedupe_keys.from_at': { why: 'from when on a repeat is looked for: within the window of minutes' },
  'dedupe_keys.until_at': { why: 'until when a repeat is looked for: within the window of minutes' },
  'dedupe_keys.is_meant': { why: MEANT },
  'dedupe_keys.scope': { why: 'of a schedule, whose day and moment are both taken' },
  'dedupe_keys.sequence': { why: 'what a list was compared with already: it is compared once more' },
  'dedupe_keys.window_seconds': {
    why: 'how long a repeat was looked for: no other payment of the same was within either',
  },
  'approvals.expires_at': {
    why: 'of an approval of the sandbox that is decided: its clock may have moved at that moment',
    when: (row) => row['mode'] === 'SANDBOX' && row['status'] !== 'PENDING',
  },
  'compliance_proposals.reason': { why: WORDS },
  'compliance_proposals.*': {
    why: 'one by which nothing was decided: the freeze or the case is as it was',
    when: (row) => row['status'] !== 'CONFIRMED',
  },
  'freezes.*': { why: 'a freeze that held nothing, and that nobody has proposed to lift' },
  'dispute_answers.attempts': { why: 'how often it was sent: the next pause follows from it' },
  'daily_total_cursors.*': { why: LOOKED_AT_AGAIN },
  'daily_total_cursors.event_sequence': { why: LOOKED_AT_AGAIN },
  'daily_total_cursors.merchant_id': { why: LOOKED_AT_AGAIN },
  'daily_total_cursors.mode': { why: LOOKED_AT_AGAIN },
  'daily_total_cursors.has_statement_totals': { why: LOOKED_AT_AGAIN },
  'event_cursors.*': { why: NOTHING_READ },
  'event_cursors.event_sequence': {
    why: 'no event by which a rail is counted, and none that changed a payout, lies between the two: read again, it comes to the same',
  },
  'event_cursors.reader': { why: NOTHING_READ },
  'payout_directory.rail': {
    why: 'of a payout under way: it may fail over, and until it has ended its own row says which rail has it',
    when: (row) => row['status'] === 'QUEUED' || row['status'] === 'PROCESSING',
  },
  'dispute_answers.due_at': { why: WORK },
  'dispute_answers.ended_at': { why: 'when a worker was done with it; what the provider made of it is its status' },
  'dispute_directory.attempts': { why: 'how often it was asked about before: the next pause follows from it' },
  'dispute_directory.due_at': { why: WORK },
  'dispute_directory.first_seen_at': {
    why: 'when it was first heard of: a later time than that of the dispute is found',
  },
  'dispute_directory.updated_at': { why: 'when it was noted: an earlier time than it was heard of is found' },
  'dispute_directory.source': {
    why: 'which of three ways it was first heard by; that two people entered it is found',
    when: (row) => row['source'] !== 'OPERATOR',
  },
  'dispute_directory.reported': { why: REPORTED, when: (_row, kind) => kind.startsWith('leaf') },
  'dispute_evidence.*': {
    why: 'a report beside those that opened and ended the dispute, which have to be there',
    when: (row, kind) => kind === 'deleted' && (row['state'] === 'evidence_sent' || row['state'] === 'open'),
  },
  'dispute_files.*': {
    why: 'the file of an answer that was never made: it is nobody’s',
    when: (_row, kind) => kind === 'twice, with another answer_id',
  },
  'dispute_files.content_sealed': { why: 'of the same length: it does not open, or its hash in the answer is another' },
  'dispute_files.id': { why: 'it does not open under another' },
  'dispute_files.uploaded_at': { why: 'while the dispute was open, and before the answer: what is outside is found' },
  'dispute_proposals.*': {
    why: 'one by which nothing was decided: the dispute is as it was',
    when: (row) => row['status'] !== 'CONFIRMED',
  },
  'dispute_proposals.decided_at': { why: 'within the minute in which it was carried out' },
  'dispute_proposals.reason': { why: WORDS },
  'disputes.check_at': { why: WORK },
  'disputes.checks': { why: 'how often the provider was asked: the next pause follows from it' },
  'disputes.due_at': { why: 'until when it can be answered, as the provider said: only its own answer ends a dispute' },
  'disputes.looked_at': {
    why: 'when somebody of the operator found out why the provider contradicts its end: nothing moves by it',
  },
  'disputes.looked_by': { why: 'who did: nothing moves by it' },
  'disputes.looked_note': { why: WORDS },
  'disputes.operator_reason': { why: 'why the operator is shown it: nothing moves by it' },
  'disputes.remind_at': { why: 'when the next mail about it is due' },
  'event_rows.id': { why: 'of an event that nobody was sent yet; another one’s id is found' },
  'event_rows.created_at': { why: SETTINGS, when: isSetting },
  'event_rows.data': {
    why: `${SETTINGS}; or ${LEAVES.map(({ why }) => why).join('; or ')}`,
    when: (row, kind) => isHarmlessLeaf(row, kind) || isOfSetting(row),
  },
  'event_rows.subject_id': {
    why: `${SETTINGS}; what simulated payers paid, or had disputed, stands in the event itself`,
    when: (row) => isSetting(row) || /^sandbox\.(account_paid|dispute_opened)$/.test(row['type'] ?? ''),
  },
  'event_rows.type': {
    why: `${SETTINGS}; or that a payment came after its session had ended, which the payment itself says`,
    when: (row) =>
      isSetting(row) || /^(virtual_account\.requested|payment_session\.payment_received)$/.test(row['type'] ?? ''),
  },
  'event_rows.request_id': { why: 'which request caused it, for anyone who looks into a log; nothing moves by it' },
  'event_rows.idempotency_key': {
    why: 'of a setting, an approval or an item, which take each step once; or the key itself names the transaction',
    when: (row) => isSetting(row) || /^(approval\.|batch\.items?_|transaction\.)/.test(row['type'] ?? ''),
  },
  'event_templates.created_at': { why: 'when the first event with it was written: no text has it' },
  'fee_rules.*': { why: 'a rule that priced nothing: it ended before, or the receiver bears it' },
  'fee_rules.digest': {
    why: 'a rule that a release before this one made has none',
    when: (row) => row['digest'] !== null,
  },
  'fee_rules.effective_to': { why: 'where nothing was paid between the two moments' },
  'idempotency_keys.*': {
    why: 'a key that nobody has used leads to an answer that was given before, and to nothing new',
  },
  'idempotency_keys.answer_status': { why: REFUSED, when: isRefusal },
  'idempotency_keys.created_at': { why: REFUSED, when: isRefusal },
  'idempotency_keys.key': { why: REFUSED, when: isRefusal },
  'idempotency_keys.merchant_id': { why: REFUSED, when: isRefusal },
  'idempotency_keys.mode': { why: REFUSED, when: isRefusal },
  'idempotency_keys.input_hash': { why: 'who repeats the request is refused as one with another body; nothing moves' },
  'idempotency_keys.answer_message': { why: 'what a repeat is answered; nothing moves' },
  'idempotency_keys.answer_body': { why: 'what a repeat is answered; nothing moves' },
  'idempotency_keys.transaction_id': { why: 'the key still leads to its event, from which a repeat is answered' },
  'payments_to_refund.attempts': { why: 'how often it was looked at: the next pause follows from it' },
  'payments_to_refund.blocked_since': { why: 'since when it waits for money, say: people get it sooner or later' },
  'payments_to_refund.due_at': { why: WORK },
  'payments_to_refund.rule_version': {
    why: 'of one that is not refunded: the version that counts when it is, is looked up then',
    when: (row) => row['status'] !== 'REFUNDED',
  },
  'refunds.allow_duplicate': { why: MEANT },
  'refunds.attempts': { why: 'how often its payout was looked at', when: (row) => row['way'] === 'PAYOUT' },
  'refunds.counted_on': {
    why: 'of a refund that is over, and that no limit counts any more',
    when: (row) => row['status'] === 'FAILED' || row['status'] === 'CANCELLED',
  },
  'refunds.due_at': { why: WORK },
  'refunds.first_sent_at': {
    why: 'by it a second sending waits longer or shorter; that of another one of the same minute, or as the sandbox’s clock was moved',
    when: (row, kind) =>
      kind === 'another' || kind === 'swapped' || (kind === 'a day earlier' && row['mode'] === 'SANDBOX'),
  },
  'refunds.operator_reason': { why: 'which of two reasons the operator is shown' },
  'refunds.operator_since': { why: 'since when the operator is shown it' },
  'refunds.lease_id': { why: 'a lease that no worker holds runs out within half a minute' },
  'refunds.sent_at': { why: 'by it a second sending waits longer or shorter, after "not found" alone' },
  'reserve_rules.*': { why: 'a rule by which nothing was kept' },
  'reservations.*': {
    why: 'of rules that were never made: a reservation that is missing is held against them as one that is there',
  },
  'reservations.mode': {
    why: 'of rules that were never made: a reservation that is missing is held against them as one that is there',
  },
  'reservations.reserved_at': { why: 'of the version of the rules alone: it is compared by its id, at whatever time' },
  'manual_credits.*': {
    why: 'one by which nothing was credited',
    when: (row) => row['status'] === 'REJECTED' || row['status'] === 'WITHDRAWN',
  },
  'manual_credits.reason': { why: WORDS },
  'open_credits.*': { why: 'a credit that is in no books: the provider lists it again, and it is asked about anew' },
  'open_credits.due_at': { why: WORK },
  'open_credit_proposals.*': {
    why: 'one by which nothing was decided: the credit is as it was',
    when: (row) => row['status'] !== 'CONFIRMED',
  },
  'open_credit_proposals.reason': { why: WORDS },
  'outcome_proposals.*': {
    why: 'one by which nothing was decided: the payout is as it was',
    when: (row) => row['status'] !== 'CONFIRMED',
  },
  'outcome_proposals.decided_at': { why: 'within the minute in which it was carried out' },
  'outcome_proposals.reason': { why: WORDS },
  'refund_outcome_proposals.*': {
    why: 'one by which nothing was decided: the refund is as it was',
    when: (row) => row['status'] !== 'CONFIRMED',
  },
  'refund_outcome_proposals.decided_at': { why: 'within the minute in which it was carried out' },
  'refund_outcome_proposals.reason': { why: WORDS },
  'payment_sessions.attempts': { why: 'how often the provider was asked to open it: the next pause follows from it' },
  'payment_sessions.checked_at': {
    why: 'when its payer last had the provider asked: by it the next may ask a bit sooner',
  },
  'payment_sessions.content_hash': {
    why: 'who asks again under its reference is refused as one who asks for something else, and no second is opened',
  },
  'payment_sessions.origin': {
    why: 'from which page it was asked for; that it was a page of a browser is found',
  },
  'payment_sessions.provider_reference': { why: 'the provider’s word for it: it is asked about by our own reference' },
  'payout_attempts.*': { why: 'a response that changed nothing, beside others that are still there' },
  'payouts.allow_duplicate': { why: MEANT },
  'payouts.attempts': { why: 'between its sends and all its calls: the next pause follows from it' },
  'payouts.lease_id': { why: 'a lease that no worker holds runs out within half a minute' },
  'payouts.due_at': { why: WORK },
  'payouts.operator_reason': { why: 'which of two reasons the operator is shown' },
  'payouts.operator_since': { why: 'since when the operator is shown it' },
  'payouts.rules_version': { why: 'of a payout that is over, and that no rules asked an approval of', when: isOver },
  'payouts.ended_by': { why: 'another rail that said so too', when: isOver },
  'payouts.next_step': { why: 'of a payout that is over: nobody takes a step of it', when: isOver },
  'payouts.rail': { why: 'of a payout that was not sent yet: whichever rail of its mode pays it pays it once' },
  'payouts.scenario': { why: 'how the sandbox’s bank is to behave; live payouts have none' },
  'payouts.sent_at': {
    why: 'within the minutes of its call: by it a second send waits longer or shorter, after "not found" alone',
  },
  'provider_settlement_lines.*': {
    why: 'a payment that a settlement lacked: the next one that lacks it says so again',
    when: (row) => row['result'] === 'MISSING_THERE',
  },
  'provider_settlements.decided_at': {
    why: 'a moment before the settlements of its payments, which have their own',
  },
  'provider_settlements.decided_by': {
    why: 'who discarded a file of which nothing was posted',
    when: (row) => row['status'] === 'DISCARDED',
  },
  'provider_settlements.line_count': {
    why: 'of a file that was discarded, maybe before all of it was read',
    when: (row) => row['status'] === 'DISCARDED',
  },
  'provider_settlements.note': { why: WORDS },
  'provider_settlements.updated_at': { why: 'when it was done with; what came of it stands in its lines' },
  'receiving_numbers.opened_at': { why: 'reserved within the minute in which its account was opened' },
  'receiving_numbers.closed_at': { why: 'another moment at which nothing was paid to it' },
  'sandbox_disputes.*': {
    why: `${SIMULATED}: it is listed twice, or again`,
    when: (_row, kind) => kind.startsWith('twice'),
  },
  'sandbox_disputes.answered_at': { why: SIMULATED },
  'sandbox_disputes.due_at': { why: `${SIMULATED}, and its clock was moved` },
  'sandbox_disputes.next_webhook_at': { why: SIMULATED },
  'sandbox_disputes.opened_at': { why: SIMULATED },
  'sandbox_disputes.scenario': { why: SIMULATED },
  'sandbox_refunds.first_asked_at': { why: SIMULATED },
  'sandbox_refunds.queries': { why: SIMULATED },
  'sandbox_refunds.received_at': { why: SIMULATED },
  'sandbox_credits.queries': { why: 'by which the simulated bank says sooner or later what became of it' },
  'sandbox_rail_transfers.*': { why: 'of a transfer of which the simulated bank has said nothing yet' },
  'sandbox_rail_transfers.first_sent_at': { why: 'when the simulated bank heard of it' },
  'sandbox_rail_transfers.received_at': { why: 'when the simulated bank heard of it' },
  'settlement_imports.updated_at': { why: 'when a file was done with; what came of it stands in its lines' },
  'settlement_lines.*': { why: 'a payout that a file lacked: the next file that lacks it says so again' },
  'settlement_lines.settled_at': { why: 'a moment after that of the settlement itself, which has its own' },
  'state_changes.created_at': {
    why: 'of a batch, at another moment at which it was reported as well',
    when: (row) => row['subject'] === 'batch',
  },
  'state_changes.from_state': { why: 'exchanged between two steps of one history, which leads where it led' },
  'state_changes.reason': { why: 'of a step that is not the last: why it came to its end stands there itself' },
  'state_changes.*': {
    why: 'of a proposal, which says itself that it was confirmed, by whom and when',
    when: (row) => /^((refund_)?outcome|dispute)_proposal$/.test(row['subject'] ?? ''),
  },
  'state_changes.id': { why: 'nothing names a step by its id' },
  'virtual_accounts.*': { why: 'a request that nobody has answered yet: it is made again', when: isRequested },
  'virtual_accounts.attempts': { why: 'how often the provider was asked: the next pause follows from it' },
  'virtual_accounts.due_at': { why: WORK },
  'virtual_accounts.holder_email': {
    why: 'what was passed on of a customer, whose account is named by its id',
  },
  'virtual_accounts.holder_phone': {
    why: 'what was passed on of a customer, whose account is named by its id',
  },
  'virtual_accounts.identity_sealed': {
    why: 'what is passed on once more where the provider refused; it moves nothing',
  },
  'virtual_accounts.id': { why: NOT_OPENED, when: isRequested },
  'virtual_accounts.message': { why: WORDS, when: isWithWorker },
  'virtual_accounts.preferred_bank': {
    why: 'what the provider was asked for; the bank that it chose stands with the number',
  },
  'virtual_accounts.provider_account_id': {
    why: 'by what the provider closes it; credits are found by the number and our own reference',
  },
  'virtual_accounts.reason': { why: WORDS, when: isWithWorker },
  'virtual_accounts.requested_at': { why: NOT_OPENED, when: isRequested },
  'virtual_accounts.updated_at': { why: NOT_OPENED, when: isWithWorker },
  'wallets.account_name': {
    why: 'of a wallet through which nothing has moved, and that nobody was sent: it is shown as it is',
  },
  'wallets.bank_code': {
    why: 'of a wallet through which nothing has moved, and that nobody was sent: it is shown as it is',
  },
  'wallets.bank_name': {
    why: 'of a wallet through which nothing has moved, and that nobody was sent: it is shown as it is',
  },
  'suspense_proposals.*': {
    why: 'one by which nothing was decided: the payment is as it was',
    when: (row) => row['status'] !== 'CONFIRMED',
  },
  'suspense_proposals.reason': { why: WORDS },
  'transfers.id': { why: 'of the end of a hold: nothing names it by its id', when: (row) => row['kind'] !== 'PENDING' },
};

export function isHarmless({ table, column, kind, before }: Mutation): boolean {
  const known = HARMLESS[`${table}.${column}`];
  return known !== undefined && (known.when?.(before.values, kind) ?? true);
}
