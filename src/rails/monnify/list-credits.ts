import { creditPage, pageOf } from '../credit-list.ts';
import { fromDecimal } from '../decimal-amount.ts';
import type { ProviderAnswer } from '../http.ts';
import { UnusableAnswerError } from '../port.ts';
import { fieldsOf, textOf } from '../provider-answers.ts';
import { factOf } from '../wallet-answers.ts';
import type { CreditHint, CreditListRequest, CreditPage } from '../wallet-provider.ts';
import { readUnusable } from './readings.ts';
import type { MonnifySession } from './session.ts';
import { openEnvelope } from './transfer.ts';
import { readPaymentStatus } from './wallet-readings.ts';

/** Lines that are asked for on one page; Monnify may give fewer. */
const PAGE_LINES = 100;

/**
 * By page number, of any status: Monnify filters by one alone, and a payment of another amount than was asked for is
 * OVERPAID or PARTIALLY_PAID. `from` and `to` are milliseconds; a payment on the edge may be on two lists, never on none.
 */
export async function listCredits(
  session: MonnifySession,
  { from, to, cursor }: CreditListRequest,
  signal: AbortSignal,
): Promise<CreditPage> {
  const page = pageOf(cursor);
  const answer = await session.request({
    method: 'GET',
    path: '/api/v1/transactions/search',
    query: {
      // Monnify counts from zero.
      page: String(page - 1),
      size: String(PAGE_LINES),
      from: String(from.getTime()),
      to: String(to.getTime()),
    },
    signal,
  });
  const list = listIn(answer);
  if (list === undefined) {
    const { reading, code } = readUnusable(answer);
    throw new UnusableAnswerError(reading, code);
  }
  const { lines, isLast } = list;
  return creditPage({ page, lines, isLast }, lines.filter(isCredit), hintOf);
}

/** False only where the line itself shows that no money is there, such as that of a page on which nobody has paid. */
function isCredit(line: unknown): boolean {
  const status = textOf(fieldsOf(line)?.['paymentStatus']);
  return status === '' || readPaymentStatus(status) === 'confirmed';
}

/** The documentation shows a list without the envelope that every other answer has, so both are read. */
function listIn(answer: ProviderAnswer): { lines: unknown[]; isLast: boolean } | undefined {
  const { data, refused } = openEnvelope(answer);
  const fields = fieldsOf(data) ?? (answer.status === 200 && !refused ? fieldsOf(answer.body) : undefined);
  const content = fields?.['content'];
  return Array.isArray(content) ? { lines: content, isLast: fields?.['last'] === true } : undefined;
}

function hintOf(line: unknown): CreditHint | undefined {
  const fields = fieldsOf(line);
  const providerTransactionId = factOf(fields?.['transactionReference']);
  const providerReference = factOf(fields?.['paymentReference']);
  if (providerTransactionId === null && providerReference === null) return undefined;
  const amountMinor = fromDecimal(fields?.['amountPaid'] ?? fields?.['amount']);
  return { providerTransactionId, providerReference, sessionId: null, amountMinor, accountNumber: null };
}
