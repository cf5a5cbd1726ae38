import { hasCredential } from '../platform/credentials.ts';
import { cleanedText, firstCharacters } from '../platform/text.ts';

/**
 * Fields of a request that say what it was about and open no door. What is not named here is not kept: a new field has
 * to be thought of before it can be written down for good.
 */
const KEPT_FIELDS: ReadonlySet<string> = new Set([
  'accountName',
  'accountNumber',
  'action',
  'active',
  'all',
  'allowDuplicate',
  'allowedIps',
  'amount',
  'announcementId',
  'approvalId',
  'approvals',
  'availability',
  'bankCode',
  'baseUrl',
  'batchReference',
  'beneficiaryId',
  'bulkPayoutItemId',
  'businessName',
  'byMail',
  'category',
  'cause',
  'certainty',
  'changeId',
  'channel',
  'coolingOffSeconds',
  'country',
  'creditKey',
  'customerId',
  'day',
  'days',
  'digest',
  'disputeId',
  'documentId',
  'dueAt',
  'duplicateWindowSeconds',
  'effectiveFrom',
  'effectiveTo',
  'email',
  'enabled',
  'endsAt',
  'endsRuleId',
  'endsRuleIds',
  'excess',
  'exemptPurposes',
  'expiresAt',
  'expiresInDays',
  'first',
  'firstName',
  'flat',
  'fromAmount',
  'holidayId',
  'how',
  'id',
  'importId',
  'isMakerCheckerEnabled',
  'keepBodies',
  'keepDays',
  'keepInWallet',
  'keepKeys',
  'key',
  'keyId',
  'kind',
  'lastName',
  'late',
  'limitId',
  'lineId',
  'linkId',
  'lumpSum',
  'manualCreditId',
  'maxAmount',
  'maxPayments',
  'merchantId',
  'merchantIds',
  'minAmount',
  'minimum',
  'mode',
  'name',
  'narration',
  'nickname',
  'note',
  'openToMerchants',
  'outcome',
  'overlapSeconds',
  'page',
  'payer',
  'paymentId',
  'payoutId',
  'perDay',
  'perPayout',
  'person',
  'personId',
  'proposalId',
  'providerDisputeId',
  'purpose',
  'q',
  'rail',
  'railId',
  'rails',
  'rateBasisPoints',
  'reason',
  'reference',
  'refundId',
  'result',
  'role',
  'rounding',
  'schedule',
  'scheduledFor',
  'scheduleId',
  'scopes',
  'search',
  'second',
  'seconds',
  'service',
  'sessionId',
  'settledOn',
  'settlementId',
  'severity',
  'skipInvalid',
  'source',
  'startsAt',
  'status',
  'storeId',
  'subaccountId',
  'supportViewId',
  'timeOfDay',
  'title',
  'transactionId',
  'type',
  'virtualAccountId',
  'walletId',
  'tier',
  'singleIn',
  'dailyIn',
  'balance',
  'singleOut',
  'dailyOut',
  'individual',
  'corporate',
  'firstDay',
  'lastDay',
  'listedOn',
  'listId',
  'freezeId',
  'caseId',
  'subjectId',
  'subject',
  'legalBasis',
  'owner',
  'payerName',
  'inForce',
  'windowSeconds',
]);

/** Lists of things that are dated or stepped, kept as JSON text of the fields above. */
const KEPT_LISTS: ReadonlySet<string> = new Set(['rules']);
/** Kept as its host alone: what follows in a webhook's address is often a secret. */
const ADDRESS_FIELD = /url$/i;
/** A word that begins like a key or a signing secret, of ours or of a provider. */
const LOOKS_SECRET = /\b(?:sk|pk|whsec|mcs)_/i;
const MAX_TEXT_LENGTH = 200;
const MAX_LIST_LENGTH = 4_000;
/** Members of a list that are spelled out, such as scopes. */
const MAX_LISTED = 30;

type Subject = Record<string, string | number | boolean | null>;

/** What an entry says of a request: its path parameters, and the fields of its body and query that are fit to be kept. */
export function subjectOf(params: unknown, body: unknown, query?: unknown): Subject {
  return { ...keptOf(query), ...keptOf(body), ...keptOf(params) };
}

function keptOf(given: unknown): Subject {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return {};
  const subject: Subject = {};
  for (const [field, value] of Object.entries(given)) {
    const kept = keptValue(field, value);
    if (kept !== undefined) subject[field] = kept;
  }
  return subject;
}

function keptValue(field: string, value: unknown): string | number | boolean | null | undefined {
  if (ADDRESS_FIELD.test(field)) return hostOf(value);
  if (KEPT_LISTS.has(field) && Array.isArray(value)) {
    return firstCharacters(JSON.stringify(value.slice(0, MAX_LISTED).map((member) => keptOf(member))), MAX_LIST_LENGTH);
  }
  return KEPT_FIELDS.has(field) ? plain(value) : undefined;
}

function plain(value: unknown): string | number | boolean | null | undefined {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  // Looked at whole: the part of a key that is kept would not be known for one.
  if (typeof value === 'string') return cleanedText(withheldIfSecret(value).slice(0, MAX_TEXT_LENGTH));
  if (Array.isArray(value) && value.length <= MAX_LISTED && value.every((member) => typeof member === 'string'))
    return plain(value.join(' '));
  return undefined;
}

/** What somebody put into the wrong field: an entry cannot be taken back. */
export function withheldIfSecret(text: string): string {
  return LOOKS_SECRET.test(text) || hasCredential(text) ? '(withheld)' : text;
}

function hostOf(value: unknown): string | null | undefined {
  if (value === null) return null;
  return typeof value === 'string' ? URL.parse(value)?.host : undefined;
}
