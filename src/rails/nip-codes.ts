import type { RailOutcome } from './port.ts';

/** To what a code was the answer: it can mean an end in one place and nothing in another. */
export type NipStage = 'send' | 'query' | 'nameEnquiry';

export interface NipCode {
  code: string;
  meaning: string;
  /** Stable; null for success. */
  reason: string | null;
  send: 'succeeded' | 'failed' | 'unknown';
  query: 'succeeded' | 'failed' | 'unknown' | 'not_found';
  nameEnquiry: 'found' | 'not_found' | 'unknown';
}

type Classes = Pick<NipCode, 'send' | 'query' | 'nameEnquiry'>;

/** The bank refused the transfer itself: the same answer to a query is its outcome. */
const REFUSED: Classes = { send: 'failed', query: 'failed', nameEnquiry: 'unknown' };
/** Something about the message was wrong. In a query that message is the query, so it says nothing of the transfer. */
const BAD_MESSAGE: Classes = { send: 'failed', query: 'unknown', nameEnquiry: 'unknown' };
const OPEN: Classes = { send: 'unknown', query: 'unknown', nameEnquiry: 'unknown' };

function row(code: string, reason: string | null, meaning: string, classes: Classes): NipCode {
  return { code, reason, meaning, ...classes };
}

/**
 * The response codes of NIBSS Instant Payments and the only whitelist of ends. Providers that reuse a number for
 * something else (06, 10, 17 and 91 are known to differ) bring a table of their own.
 */
export const NIP_CODES: readonly NipCode[] = [
  row('00', null, 'Approved or completed', { send: 'succeeded', query: 'succeeded', nameEnquiry: 'found' }),
  row('01', 'RAIL_PENDING', 'Status unknown, still pending', OPEN),
  row('02', 'RAIL_PENDING', 'Waiting for the destination bank', OPEN),
  row('03', 'SENDER_INVALID', 'Invalid sender', BAD_MESSAGE),
  row('05', 'DO_NOT_HONOUR', 'The bank declined the transfer', REFUSED),
  row('06', 'ACCOUNT_DORMANT', 'Dormant account', { ...REFUSED, nameEnquiry: 'not_found' }),
  row('07', 'ACCOUNT_INVALID', 'Invalid account', { ...REFUSED, nameEnquiry: 'not_found' }),
  row('08', 'ACCOUNT_NAME_MISMATCH', 'The account name does not match', REFUSED),
  row('09', 'RAIL_PENDING', 'Processing is in progress', OPEN),
  row('10', 'RAIL_BANK_TIMED_OUT', 'The destination bank did not answer in time', OPEN),
  row('12', 'TRANSACTION_INVALID', 'Invalid transaction', BAD_MESSAGE),
  row('13', 'AMOUNT_INVALID', 'Invalid amount', REFUSED),
  row('14', 'REFERENCE_INVALID', 'Invalid batch number or reference', BAD_MESSAGE),
  row('15', 'SESSION_INVALID', 'Invalid session or record id', BAD_MESSAGE),
  row('16', 'BANK_CODE_UNKNOWN', 'Unknown bank code', { ...BAD_MESSAGE, nameEnquiry: 'not_found' }),
  row('17', 'CHANNEL_INVALID', 'Invalid channel', BAD_MESSAGE),
  row('18', 'METHOD_INVALID', 'Wrong method call', BAD_MESSAGE),
  row('21', 'RAIL_NO_ACTION', 'No action taken', OPEN),
  row('25', 'RAIL_RECORD_NOT_FOUND', 'No such record', {
    send: 'unknown',
    query: 'not_found',
    nameEnquiry: 'not_found',
  }),
  row('26', 'RAIL_DUPLICATE', 'Duplicate record', OPEN),
  row('30', 'FORMAT_INVALID', 'Format error', BAD_MESSAGE),
  row('34', 'FRAUD_SUSPECTED', 'Suspected fraud', REFUSED),
  row('35', 'CONTACT_BANK', 'Contact the sending bank', REFUSED),
  row('51', 'RAIL_FUNDS_INSUFFICIENT', 'Not enough money at the rail', REFUSED),
  row('57', 'SENDER_NOT_PERMITTED', 'Not permitted to the sender', BAD_MESSAGE),
  row('58', 'CHANNEL_NOT_PERMITTED', 'Not permitted on this channel', BAD_MESSAGE),
  row('61', 'LIMIT_EXCEEDED', 'Transfer limit exceeded', REFUSED),
  row('63', 'SECURITY_VIOLATION', 'Security violation', BAD_MESSAGE),
  row('65', 'FREQUENCY_EXCEEDED', 'Too many transfers', REFUSED),
  row('68', 'RAIL_ANSWER_LATE', 'The answer came too late', OPEN),
  row('69', 'RAIL_CODE_UNEXPECTED', 'Unsuccessful account or amount block', OPEN),
  row('70', 'RAIL_CODE_UNEXPECTED', 'Unsuccessful account or amount unblock', OPEN),
  row('71', 'MANDATE_MISSING', 'Empty mandate reference', BAD_MESSAGE),
  row('91', 'BANK_UNAVAILABLE', 'The beneficiary bank is not available', OPEN),
  row('92', 'ROUTING_FAILED', 'Routing error', { ...OPEN, nameEnquiry: 'not_found' }),
  row('94', 'RAIL_DUPLICATE', 'Duplicate transaction', OPEN),
  row('96', 'RAIL_MALFUNCTION', 'System malfunction', OPEN),
  row('97', 'RAIL_BANK_TIMED_OUT', 'Timeout while waiting for the destination', OPEN),
  row('98', 'RAIL_DUPLICATE', 'The transaction exists', OPEN),
  row('99', 'RAIL_MALFUNCTION', 'Request processing error', OPEN),
];

const BY_CODE: ReadonlyMap<string, NipCode> = new Map(NIP_CODES.map((entry) => [entry.code, entry]));

export interface Reading<Outcome> {
  outcome: Outcome;
  reason: string | null;
  message: string;
}

/**
 * Reads a code exactly as it came: no trimming, no numbers. A code that is not in the table is `unknown` with reason
 * `RAIL_CODE_UNKNOWN`, whatever it looks like.
 */
export function readNipCode(stage: 'nameEnquiry', code: string): Reading<NipCode['nameEnquiry']>;
export function readNipCode(stage: 'send' | 'query', code: string): Reading<Exclude<RailOutcome, 'reversed'>>;
export function readNipCode(stage: NipStage, code: string): Reading<string> {
  const entry = BY_CODE.get(code);
  if (entry === undefined) {
    return {
      outcome: 'unknown',
      reason: 'RAIL_CODE_UNKNOWN',
      message: `The rail answered with an unknown code (${code})`,
    };
  }
  return { outcome: entry[stage], reason: entry.reason, message: entry.meaning };
}
