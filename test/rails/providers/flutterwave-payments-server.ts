import { decimalText } from '../../../src/money/index.ts';
import type { PaymentHarness } from '../wallet-harness.ts';
import type { Handled, ProviderResponse, Seen } from './stand-in.ts';
import type { CreditRow, WalletBooks } from './wallet-books.ts';

interface Opened {
  kind: 'account' | 'page';
  reference: string;
  amountMinor: bigint;
  accountNumber: string;
}

export interface FlutterwavePayments {
  opened: Opened[];
  /**
   * `noted`: whether a charge has a transaction before it is paid. `feeMinor`: the fee, where the payer has to send it on top.
   * Nothing documents the first, and of the second only `charged_amount`.
   */
  charges: { noted: 'at once' | 'when paid'; feeMinor: bigint };
  handle(seen: Seen): Handled | undefined;
  /** The one that Flutterwave shows of several with this `tx_ref`. */
  newestOf(reference: string): CreditRow | undefined;
  transfer(...given: Parameters<PaymentHarness['transfer']>): CreditRow;
  payPage(...given: Parameters<PaymentHarness['payPage']>): CreditRow;
}

/** Charges by transfer, which are paid whatever the amount and however late, and pages with one transaction an attempt. */
export function createFlutterwavePaymentsServer(books: WalletBooks): FlutterwavePayments {
  const opened: Opened[] = [];
  const charges: FlutterwavePayments['charges'] = { noted: 'at once', feeMinor: 0n };

  function handle({ method, path, query, text, body }: Seen): Handled | undefined {
    const isCharge = path === '/v3/charges' && query.get('type') === 'bank_transfer';
    if (method !== 'POST' || !(isCharge || path === '/v3/payments')) return undefined;
    switch (books.openings.shift()) {
      case 'refused':
        return refusal(400, 'This payment option is not enabled for your account');
      case 'unlisted':
        return refusal(400, 'The bank is closed on full moons');
      default:
    }
    const [, major = '', fraction = ''] = /"amount":(\d+)(?:\.(\d{1,2}))?[,}]/.exec(text) ?? [];
    if (major === '' || body.currency !== 'NGN') return refusal(400, 'amount is required');
    const amountMinor = BigInt(`${major}${fraction.padEnd(2, '0')}`);
    return isCharge ? charge(body, amountMinor) : page(body, amountMinor);
  }

  function charge(body: Record<string, unknown>, amountMinor: bigint): Handled {
    const expires = Number(body['expires']);
    if (body['is_permanent'] !== false || !(expires > 0 && expires <= 31_536_000))
      return refusal(400, 'invalid expires');
    const reference = String(body['tx_ref']);
    const accountNumber = String(67_100_155 + opened.length).padStart(10, '0');
    opened.push({ kind: 'account', reference, amountMinor, accountNumber });
    if (charges.noted === 'at once') note(reference, { accountNumber, amountMinor, status: 'unpaid' });
    const authorization = {
      transfer_reference: `MockFLWRef-${opened.length}`,
      transfer_account: accountNumber,
      transfer_bank: 'Mock Bank',
      account_expiration: Date.now() + expires * 1_000,
      transfer_note: 'Mock note',
      transfer_amount: decimalText(amountMinor + charges.feeMinor),
      mode: 'banktransfer',
    };
    return { status: 200, body: { status: 'success', message: 'Charge initiated', meta: { authorization } } };
  }

  function page(body: Record<string, unknown>, amountMinor: bigint): Handled {
    const session = Number(body['session_duration']);
    if (!(session > 0 && session <= 1_440)) return refusal(400, 'invalid session_duration');
    opened.push({ kind: 'page', reference: String(body['tx_ref']), amountMinor, accountNumber: '' });
    const host = 'checkout-v2.dev-flutterwave.com';
    return ok('Hosted Link', { link: `https://${host}/v3/hosted/pay/f524c1196ffda${opened.length}` });
  }

  const note = (reference: string, facts: Parameters<WalletBooks['add']>[1]) =>
    books.add(reference, { ...facts, opened: { kind: 'account' } });

  return {
    opened,
    charges,
    handle,
    newestOf: (reference) => books.credits.findLast((one) => one.accountReference === reference),
    transfer(accountNumber, { amountMinor, at = new Date() }) {
      const payment = opened.find((one) => one.accountNumber === accountNumber);
      if (payment === undefined) throw new Error(`nobody has the account ${accountNumber}`);
      const awaited = books.credits.find((one) => one.accountNumber === accountNumber && one.status === 'unpaid');
      const credit = awaited ?? note(payment.reference, { accountNumber, amountMinor });
      const { feeMinor: feeOnTopMinor } = charges;
      return Object.assign(credit, {
        status: 'confirmed',
        amountMinor: amountMinor - feeOnTopMinor,
        feeOnTopMinor,
        at,
      });
    },
    payPage(reference, { channel, isDeclined }) {
      const paid = opened.find((one) => one.kind === 'page' && one.reference === reference);
      if (paid === undefined) throw new Error(`nobody has a page of ${reference}`);
      const status = isDeclined === true ? 'failed' : 'confirmed';
      const facts = { accountNumber: '', amountMinor: paid.amountMinor, channel, status } as const;
      return books.add(reference, { ...facts, opened: { kind: 'page' } });
    },
  };
}

export function ok(message: string, data: unknown): ProviderResponse {
  return { status: 200, body: { status: 'success', message, data } };
}

export function refusal(status: number, message: string): ProviderResponse {
  return { status, body: { status: 'error', message, data: null } };
}
