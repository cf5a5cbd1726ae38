import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import { success } from '../platform/answer.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { rotatedTooSoon } from './errors.ts';
import { insertSecrets, listValidSecrets, updateSecretsRetired } from './queries.ts';
import { makeSecret, requireSecret, type SecretDeps, sealSecret } from './signing.ts';
import { secretView } from './views.ts';

/** For so long the earlier secrets sign too: time to bring the new one to every receiver. */
const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1000;
/** The shortest time between two changes: a double click makes one. */
const PAUSE_MS = 60_000;

/**
 * Makes a new signing secret; the one before it, where there was one, still signs for 24 hours. The answer shows the new
 * secret, also when it is replayed. The answer kept under the idempotency key has only the id of the secret, and the
 * secret is filled in when it is sent.
 * @throws AppError `WEBHOOK_SECRET_ROTATED`
 */
export async function rotateSecret(
  deps: SecretDeps & { ledger: Ledger },
  input: { tenant: Tenant; idempotency: IdempotencyKey | undefined },
): Promise<CommitResult> {
  const { tenant } = input;
  const now = deps.clock.now();
  const id = newId();
  const scope = { merchant_id: tenant.merchantId, mode: tenant.mode };
  const overlapEnd = new Date(now.getTime() + SECRET_OVERLAP_MS).toISOString();
  // A mode has no secret until its first call is signed, or somebody looks at it.
  const [before] = await deps.database.query(listValidSecrets, [tenant.merchantId, tenant.mode, now, 1]);
  const previousExpiresAt = before === undefined ? null : overlapEnd;
  const rotated = { secretId: id, createdAt: now.toISOString(), previousExpiresAt };
  const result = await deps.ledger.commit({
    tenant,
    id: newId(),
    occurredAt: now.toISOString(),
    idempotency: input.idempotency,
    reservations: [
      { scope: 'WEBHOOK_SECRET', value: 'ROTATED', withinMs: PAUSE_MS, refusal: () => rotatedTooSoon(PAUSE_MS / 1000) },
    ],
    writes: [
      write(updateSecretsRetired, { ...scope, expires_at: overlapEnd }),
      write(insertSecrets, {
        ...scope,
        id,
        sealed: sealSecret(deps.secrets, tenant, id, makeSecret()),
        created_at: now.toISOString(),
      }),
    ],
    events: [
      { id: newId(), type: 'webhook.secret_rotated', subjectId: tenant.merchantId, data: JSON.stringify(rotated) },
    ],
    answer: success('Signing secret changed', { secretId: id, previousExpiresAt }),
  });
  return { ...result, answer: await withSecret(deps, tenant, result.answer) };
}

async function withSecret(deps: SecretDeps, tenant: Tenant, kept: CommitResult['answer']) {
  const { status, message, data } = JSON.parse(kept.body) as {
    status: boolean;
    message: string;
    data?: { secretId: string; previousExpiresAt: string | null };
  };
  if (!status || data === undefined) return kept;
  const secret = await requireSecret(deps, tenant, data.secretId);
  return success(message, secretView({ ...secret, expiresAt: null }, data.previousExpiresAt));
}
