import type { CommitResult, IdempotencyKey } from '../ledger/index.ts';
import { ownersNoticeWrites, type SecurityNotice } from '../mail/index.ts';
import { internationalNumber, type MerchantChanges, merchantChangesWrite, withChanges } from '../merchants/index.ts';
import { success } from '../platform/answer.ts';
import { type Clock, lagosClock } from '../platform/clock.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { writingFault } from '../platform/http/written-address.ts';
import { newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Tenant } from '../platform/tenant.ts';
import { checkWebhookAddress, type NewAddress, webhookAddressWrites } from '../webhooks/index.ts';
import { type ProfileDeps, readProfile } from './views.ts';

const liveKeyRequired = () =>
  new AppError(
    'forbidden',
    'LIVE_KEY_REQUIRED',
    'productionWebhookURL can be changed with a live key only, so that a sandbox key never redirects live events.',
  );

interface UpdateProfileInput {
  tenant: Tenant;
  /** Who asks, as a sentence to the owners begins with it. */
  by: string;
  changes: MerchantChanges;
  /** As `readProfile` has it. */
  linkTo: (address: string) => string;
  idempotency: IdempotencyKey | undefined;
}

export type UpdateProfileDeps = ProfileDeps & {
  secrets: Secrets;
  clock: Clock;
  /** May sandbox webhooks reach this machine? */
  webhookAllowLoopback: boolean;
};

/**
 * Changes webhook addresses and contact fields; what is left out stays. The event says what changed, and is the first
 * to be sent to a new address. The owners are notified of a new webhook address by mail.
 * @throws AppError `VALIDATION_FAILED` for an address that nobody could or may call, `LIVE_KEY_REQUIRED`
 */
export async function updateProfile(deps: UpdateProfileDeps, input: UpdateProfileInput): Promise<CommitResult> {
  const { tenant } = input;
  const changes = readable(input.changes);
  if (tenant.mode === 'SANDBOX' && changes.productionWebhookURL !== undefined) throw liveKeyRequired();
  checkLogo(changes.logo);
  const addresses = webhookAddresses(changes, deps.webhookAllowLoopback);
  const profile = await readProfile(deps, tenant, input.linkTo, (row) => withChanges(row, changes));
  const id = newId();
  const owner = { merchantId: tenant.merchantId, movementId: id };
  const addressWrites = await webhookAddressWrites(deps, owner, addresses);
  const notice = addressNotice(addresses, input.by, deps.clock.now());
  const on = { queries: deps.database, secrets: deps.secrets, clock: deps.clock };
  const mails = addresses.length === 0 ? [] : await ownersNoticeWrites(on, tenant.merchantId, notice);
  const data = JSON.stringify({ merchantId: tenant.merchantId, changes });
  return deps.ledger.commit({
    tenant,
    id,
    occurredAt: deps.clock.now().toISOString(),
    idempotency: input.idempotency,
    writes: [merchantChangesWrite(tenant.merchantId, id, changes), ...addressWrites, ...mails],
    events: [{ id: newId(), type: 'merchant.updated', subjectId: tenant.merchantId, data }],
    answer: success('Merchant updated', profile),
  });
}

/** As it is kept: the phone number with its country's prefix, as where one signs up. */
function readable(changes: MerchantChanges): MerchantChanges {
  const { phoneNumber } = changes;
  return phoneNumber === undefined ? changes : { ...changes, phoneNumber: internationalNumber(phoneNumber) };
}

/** Their hosts alone: what follows in a webhook's address is often a secret. */
function addressNotice(addresses: readonly NewAddress[], by: string, at: Date) {
  const changes = addresses.map(({ mode, url }) => {
    const of = mode === 'LIVE' ? 'of live mode' : 'of the sandbox';
    return url === '' ? `Events ${of} go nowhere from now on.` : `Events ${of} go to ${new URL(url).host} from now on.`;
  });
  return (businessName: string): SecurityNotice => ({
    subject: `The webhook address of ${businessName} was changed`,
    paragraphs: [
      `${by} changed the webhook address of ${businessName} on ${lagosClock(at)} Lagos time. ${changes.join(' ')}`,
      'If nobody of your business was to change it, set it right under "Webhooks", rotate the signing secret there, and look in the audit log who did.',
    ],
  });
}

/** The webhook addresses among the changes, checked. */
function webhookAddresses(changes: MerchantChanges, allowLoopback: boolean): NewAddress[] {
  const fields = [
    { field: 'sandboxWebhookURL', mode: 'SANDBOX' },
    { field: 'productionWebhookURL', mode: 'LIVE' },
  ] as const;
  return fields.flatMap(({ field, mode }) => {
    const url = changes[field];
    if (url === undefined) return [];
    checkWebhookAddress(field, url, { mode, allowLoopback });
    return [{ mode, url }];
  });
}

/** The schema has seen http(s) and the length; a password in an address would end up in logs and on screens. */
function checkLogo(text: string | undefined): void {
  if (text === undefined || text === '') return;
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (address === undefined || address.hostname === '') throw invalidField('logo', 'must be a valid address');
  const fault = writingFault(text, address);
  if (fault !== undefined) throw invalidField('logo', fault);
}
