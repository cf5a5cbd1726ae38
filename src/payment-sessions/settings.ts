import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import { parseAmount } from '../money/index.ts';
import { createCache } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { invalidField } from '../platform/errors.ts';
import { isLoopbackAddress } from '../platform/http/allowed-hosts.ts';
import { writingFault } from '../platform/http/written-address.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import { settingsIncomplete } from './errors.ts';
import {
  type CollectionSettings,
  deleteCollectionOrigins,
  findCollectionSettings,
  findOrigin,
  insertCollectionOrigins,
  type SettingsRow,
  upsertCollectionSettings,
} from './settings-queries.ts';
import { type CollectionSettingsInput, DEFAULT_SESSIONS_PER_MINUTE } from './settings-schemas.ts';
import { settingsView } from './views.ts';

const NOTHING_SET: CollectionSettings = {
  publicKeys: false,
  allowedOrigins: [],
  allowedReturnHosts: [],
  maxAmountMinor: null,
  sessionsPerMinute: DEFAULT_SESSIONS_PER_MINUTE,
  updatedAt: null,
};

export async function readSettings(
  { database }: { database: Database },
  { merchantId, mode }: Tenant,
): Promise<CollectionSettings> {
  const [row] = await database.query(findCollectionSettings, [merchantId, mode]);
  return row === undefined ? NOTHING_SET : settingsOf(row);
}

const listed = (text: string) => text.split(' ').filter((one) => one !== '');

function settingsOf(row: SettingsRow): CollectionSettings {
  return {
    publicKeys: row.public_keys,
    allowedOrigins: listed(row.allowed_origins),
    allowedReturnHosts: listed(row.allowed_return_hosts),
    maxAmountMinor: row.max_amount_minor,
    sessionsPerMinute: row.sessions_per_minute,
    updatedAt: row.updated_at,
  };
}

/**
 * Changes what is named, and leaves the rest.
 * @throws AppError `VALIDATION_FAILED`, `COLLECTION_SETTINGS_INCOMPLETE`
 */
export async function changeSettings(
  deps: { database: Database; ledger: Ledger; clock: Clock },
  tenant: Tenant,
  changes: CollectionSettingsInput,
  idempotency: IdempotencyKey | undefined,
): Promise<CommitResult> {
  const before = await readSettings(deps, tenant);
  const { publicKeys, allowedOrigins, allowedReturnHosts, maxAmount, sessionsPerMinute } = changes;
  const at = deps.clock.now();
  const after: CollectionSettings = {
    publicKeys: publicKeys ?? before.publicKeys,
    allowedOrigins: allowedOrigins?.map((origin) => requireOrigin(origin, tenant.mode)) ?? before.allowedOrigins,
    allowedReturnHosts: allowedReturnHosts?.map(requireHost) ?? before.allowedReturnHosts,
    maxAmountMinor: maxAmount === undefined ? before.maxAmountMinor : parseAmount(maxAmount, 'maxAmount'),
    sessionsPerMinute: sessionsPerMinute ?? before.sessionsPerMinute,
    updatedAt: at,
  };
  if (after.publicKeys && (after.allowedOrigins.length === 0 || after.maxAmountMinor === null)) {
    throw settingsIncomplete();
  }
  const row: SettingsRow = {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    public_keys: after.publicKeys,
    allowed_origins: after.allowedOrigins.join(' '),
    allowed_return_hosts: after.allowedReturnHosts.join(' '),
    max_amount_minor: after.maxAmountMinor,
    sessions_per_minute: after.sessionsPerMinute,
    updated_at: at,
  };
  const id = newId();
  const data = jsonOf(settingsView(after, tenant));
  return deps.ledger.commit({
    tenant,
    id,
    occurredAt: at.toISOString(),
    idempotency,
    writes: [
      write(upsertCollectionSettings, row),
      write(deleteCollectionOrigins, row),
      write(insertCollectionOrigins, row),
    ],
    events: [{ id: newId(), type: 'collection_settings.updated', subjectId: tenant.merchantId, data }],
    answer: { message: 'Collection settings updated' },
  });
}

/** That somebody named an origin counts for so long, because browsers ask before most requests. */
const KNOWN_FOR_MS = 5_000;
const MAX_REMEMBERED = 10_000;

/**
 * Whether some merchant has named an origin as its page's. That nobody has is not remembered: who has just named theirs is
 * looking at the page.
 */
export function createKnownOrigins({ database, clock }: { database: Database; clock: Clock }) {
  const known = createCache<boolean>({ clock, ttlMs: KNOWN_FOR_MS, max: MAX_REMEMBERED });
  return async (origin: string): Promise<boolean> => {
    const isKnown = await known.read(
      origin,
      async () => (await database.query(findOrigin, [origin]))[0]?.is_known === true,
    );
    if (!isKnown) known.forget(origin);
    return isKnown;
  };
}

/**
 * An address to which a payer's browser is sent: https, or http to this machine in the sandbox.
 * @throws AppError `VALIDATION_FAILED`
 */
export function requireAddress(text: string, field: string, mode: Mode): URL {
  const url = URL.parse(text);
  if (url === null || !isSafe(url, mode)) throw invalidField(field, 'must be an https address');
  const fault = writingFault(text, url);
  if (fault !== undefined) throw invalidField(field, fault);
  return url;
}

/** An origin as a browser writes it. @throws AppError `VALIDATION_FAILED` */
function requireOrigin(text: string, mode: Mode): string {
  const url = URL.parse(text);
  if (url === null || !isSafe(url, mode) || url.origin !== text) {
    throw invalidField('allowedOrigins', 'must be origins such as https://shop.example, without a path');
  }
  return url.origin;
}

/** A host, with its port where it has one. @throws AppError `VALIDATION_FAILED` */
function requireHost(text: string): string {
  const url = URL.parse(`https://${text}`);
  if (url === null || url.host !== text.toLowerCase() || url.pathname !== '/') {
    throw invalidField('allowedReturnHosts', 'must be hosts such as shop.example, without a path');
  }
  return url.host;
}

function isSafe({ protocol, hostname }: URL, mode: Mode): boolean {
  if (protocol === 'https:') return true;
  const name = hostname.replace(/^\[|\]$/g, '');
  return protocol === 'http:' && mode === 'SANDBOX' && (name === 'localhost' || isLoopbackAddress(name));
}
