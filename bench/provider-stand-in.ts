import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A provider without delay, in a process of its own, with the answers of Paystack: it knows every transaction that it is
 * asked about, each of ₦100 to one account number, and lists so many of them. Prints its address.
 */
const [accountNumber = '', listed = '0'] = process.argv.slice(2);
const COUNT = Number(listed);
const PER_PAGE = 100;
const PAID_AT = new Date().toISOString();

const transaction = (id: number) => ({
  id,
  domain: 'test',
  status: 'success',
  reference: `bench-${id}`,
  amount: 10_000,
  requested_amount: 10_000,
  currency: 'NGN',
  fees: 100,
  channel: 'dedicated_nuban',
  paid_at: PAID_AT,
  metadata: '',
  authorization: {
    channel: 'dedicated_nuban',
    sender_name: 'CHIDI OKAFOR',
    sender_bank: 'Access Bank',
    sender_bank_account_number: 'XXXXXX4567',
    narration: 'Order',
    receiver_bank_account_number: accountNumber,
    receiver_bank: 'Wema Bank',
  },
});

function answerTo(url: URL): unknown {
  const id = /^\/transaction\/(\d+)$/.exec(url.pathname)?.[1];
  if (id !== undefined) return { status: true, message: 'Transaction retrieved', data: transaction(Number(id)) };
  const page = Number(url.searchParams.get('page') ?? '1');
  const first = (page - 1) * PER_PAGE;
  const count = Math.max(0, Math.min(PER_PAGE, COUNT - first));
  const data = Array.from({ length: count }, (_, at) => transaction(first + at + 1));
  return { status: true, message: 'Transactions retrieved', data, meta: { pageCount: Math.ceil(COUNT / PER_PAGE) } };
}

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answerTo(new URL(request.url ?? '/', 'http://stand-in'))));
});
server.listen(0, '127.0.0.1', () => {
  console.log(`is up at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
