import { type AuditEntry, recordAudit } from '../audit/index.ts';
import { AppError } from '../platform/errors.ts';
import { isUuid } from '../platform/ids.ts';
import { type AdminDeps, type Command, given, UsageError } from './command.ts';

/** Commands whose name begins so only look. They are on record where somebody's details are in what they print. */
const LOOKS = /^(list|show)-|^rail-balance$|^export-/;

/** Options that say what a command was about. What is not named here, such as a PIN or a BVN, is not kept. */
const KEPT_OPTIONS: readonly string[] = [
  ...['merchant', 'mode', 'reason', 'service', 'key', 'for', 'scope', 'ip', 'days', 'live', 'public', 'name', 'email'],
  ...['per-payout', 'per-day', 'duplicate-window', 'from', 'until', 'as-all', 'overlap-hours', 'maker-checker'],
  ...['provider', 'first', 'second', 'default', 'open-to-merchants', 'rail', 'kobo'],
  ...['payout', 'proposal', 'outcome', 'source', 'note', 'import', 'line', 'result', 'how', 'nobody-left'],
  ...['pepper', 'it-is-lost', 'finish', 'credit', 'payment', 'action', 'account', 'bank'],
];

/**
 * Runs a command of the operator's terminal and records it where it may change something or shows somebody's details: that it was asked before it
 * runs, so that nothing happens unseen, and what became of it after.
 */
export async function runAudited(
  deps: AdminDeps,
  command: Command,
  values: Record<string, unknown>,
  run: () => Promise<void>,
): Promise<void> {
  if (LOOKS.test(command.name) && command.audit === undefined) return run();
  const entry = { ...entryOf(deps, command, values), ...(await merchantOf(deps, command, values)) };
  await recordAudit(deps.database, { ...entry, at: deps.clock.now(), outcome: 'ASKED', code: null });
  try {
    await run();
  } catch (error) {
    const code = error instanceof AppError ? error.code : error instanceof UsageError ? 'USAGE' : 'INTERNAL_ERROR';
    await recordAudit(deps.database, { ...entry, at: deps.clock.now(), outcome: 'REFUSED', code });
    throw error;
  }
  await recordAudit(deps.database, { ...entry, at: deps.clock.now(), outcome: 'DONE', code: null });
}

/** A command that is about a person belongs into the log of their business. */
async function merchantOf(deps: AdminDeps, command: Command, values: Record<string, unknown>) {
  return command.merchantOf === undefined ? {} : { merchantId: await command.merchantOf(deps, given(values)) };
}

function entryOf(
  { actor }: AdminDeps,
  { name, about, audit }: Command,
  values: Record<string, unknown>,
): Omit<AuditEntry, 'at' | 'outcome' | 'code'> {
  const { merchant } = values;
  const mode = typeof values['mode'] === 'string' ? values['mode'].toUpperCase() : null;
  return {
    merchantId: typeof merchant === 'string' && isUuid(merchant) ? merchant.toLowerCase() : null,
    mode: mode === 'SANDBOX' || mode === 'LIVE' ? mode : null,
    action: `admin ${name}`,
    summary: about,
    category: audit ?? null,
    subject: Object.fromEntries(
      KEPT_OPTIONS.flatMap((option) => {
        const value = values[option];
        return value === undefined
          ? []
          : [[option, Array.isArray(value) ? value.join(' ') : (value as string | boolean)]];
      }),
    ),
    actor: { kind: 'SYSTEM', id: null, name: actor, role: null, sessionId: null },
    ip: null,
    userAgent: null,
    requestId: null,
  };
}
