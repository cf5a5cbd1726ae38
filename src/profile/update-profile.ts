import type { CommitResult, IdempotencyKey } from '../ledger/index.ts';
import { type MerchantChanges, merchantChangesWrite, withChanges } from '../merchants/index.ts';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { liveKeyRequired } from './errors.ts';
import { type ProfileDeps, readProfile } from './read-profile.ts';

export interface UpdateProfileInput {
  tenant: Tenant;
  changes: MerchantChanges;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Changes webhook addresses and contact fields; what is left out stays. The event says what changed.
 * @throws AppError `VALIDATION_FAILED` for an address that nobody could call, `LIVE_KEY_REQUIRED`
 */
export async function updateProfile(
  deps: ProfileDeps & { clock: Clock },
  input: UpdateProfileInput,
): Promise<CommitResult> {
  const { tenant, changes } = input;
  if (tenant.mode === 'SANDBOX' && changes.productionWebhookURL !== undefined) throw liveKeyRequired();
  for (const field of ['sandboxWebhookURL', 'productionWebhookURL', 'logo'] as const)
    checkAddress(field, changes[field]);
  const profile = await readProfile(deps, tenant, (row) => withChanges(row, changes));
  const id = newId();
  const told = JSON.stringify({ merchantId: tenant.merchantId, changes });
  return deps.ledger.commit({
    tenant,
    id,
    occurredAt: deps.clock.now().toISOString(),
    idempotency: input.idempotency,
    writes: [merchantChangesWrite(tenant.merchantId, id, changes)],
    events: [{ id: newId(), type: 'merchant.updated', subjectId: tenant.merchantId, data: told }],
    answer: success('Merchant updated', profile),
  });
}

/** The schema has seen http(s) and the length; a password in an address would end up in logs and on screens. */
function checkAddress(field: string, text: string | undefined): void {
  if (text === undefined || text === '') return;
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (address === undefined || address.hostname === '') throw invalidField(field, 'must be a valid address.');
  if (address.username !== '' || address.password !== '') {
    throw invalidField(field, 'must not contain a user name or password.');
  }
}
