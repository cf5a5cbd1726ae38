import { newId } from '../../src/platform/ids.ts';
import { bearer } from '../support/world.ts';
import { type Maker, moveSandboxClock } from './maker.ts';

const BOUNDARY = 'a-boundary-of-evidence';
const TYPE = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

/** A form with words and a file. */
function form(words: Record<string, string>): string {
  const fields = Object.entries(words).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="note.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.7\r\n`;
  return `${fields.join('')}${file}--${BOUNDARY}--\r\n`;
}

/**
 * Disputes of payments at the sandbox's bank: won, lost, lost by silence, accepted, refused by the bank, and open; one of an empty
 * wallet, whose loss later money pays in part.
 */
export async function disputedPayments(made: Maker): Promise<void> {
  const { t, must, shop, work } = made;
  const { accounts } = await must('GET', `/wallet/${shop.walletId}/account`);
  const [{ accountNumber }] = accounts;
  const dispute = async (given: object): Promise<string> => {
    await must('POST', '/sandbox/collection/pay', { accountNumber, amount: 91.5 });
    await work();
    const { records } = await must('GET', '/collection/payment?size=1');
    await must('POST', '/sandbox/collection/dispute', { paymentId: records[0].paymentId, amount: 40, ...given });
    await work();
    const found = await must('GET', '/collection/dispute?size=1');
    return found.records[0].disputeId;
  };
  const contest = async (id: string) => {
    const words = form({ message: 'Delivered', customerName: 'Ngozi' });
    const headers = { ...TYPE, ...bearer(shop.secretKey), 'idempotency-key': newId() };
    const reply = await t.call('POST', `/collection/dispute/${id}/evidence`, words, headers);
    if (reply.status !== 200) throw new Error(reply.text);
  };
  const [won, lost] = [await dispute({ message: 'Not mine' }), await dispute({ scenario: 'lost', category: 'FRAUD' })];
  const refused = await dispute({ scenario: 'evidence_refused' });
  for (const id of [won, lost, refused]) await contest(id);
  const accepted = await dispute({ amount: 91.5 });
  await must('POST', `/collection/dispute/${accepted}/accept`, { pin: shop.pin });
  await work();
  await dispute({ scenario: 'never_notified', answerWithinSeconds: 60, amount: 500 });
  await moveSandboxClock(made, must, 120);
  await work();
  await dispute({ scenario: 'undecided' });
  await dispute({ answerWithinSeconds: 2_592_000 });
}
