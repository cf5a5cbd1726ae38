import { randomBytes } from 'node:crypto';
import { type Clock, DAY_MS, HOUR_MS } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import { linkInvalid } from './errors.ts';
import { deleteLink, deleteLinksOf, deleteOldLinks, findLink, insertLink, type LinkPurpose } from './queries.ts';

/** How long each is valid, and the page that it opens. */
const LINKS: Record<LinkPurpose, { lifetimeMs: number; page: string }> = {
  CONFIRM: { lifetimeMs: DAY_MS, page: 'confirm' },
  RESET: { lifetimeMs: HOUR_MS, page: 'reset' },
  INVITATION: { lifetimeMs: 7 * DAY_MS, page: 'join' },
};

const TOKEN_BYTES = 32;
const HASHED = 'link';

interface LinkDeps {
  queries: Queries;
  secrets: Secrets;
  clock: Clock;
}

/**
 * Makes a link for a mail. It replaces the earlier ones of its subject. The token is after the `#`, which no browser
 * sends anywhere: it is in no log.
 */
export async function makeLink(
  { queries, secrets, clock }: LinkDeps,
  input: { purpose: LinkPurpose; subjectId: string; baseUrl: string },
): Promise<{ link: string; expiresAt: Date }> {
  const { lifetimeMs, page } = LINKS[input.purpose];
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  await queries.query(deleteLinksOf, [input.subjectId]);
  await queries.query(insertLink, [secrets.hmac(HASHED, token), input.purpose, input.subjectId, now, expiresAt]);
  return { link: `${input.baseUrl}/dashboard/${page}#token=${token}`, expiresAt };
}

/** The subject of a link, without using it. @throws AppError 422 `LINK_INVALID`: used, too old or never made. */
export async function lookAtLink(deps: LinkDeps, purpose: LinkPurpose, token: string): Promise<string> {
  const [found] = await deps.queries.query(findLink, [hashesOf(deps.secrets, token), purpose, deps.clock.now()]);
  if (found === undefined) throw linkInvalid();
  return found.subject_id;
}

/** Uses a link, in the caller's transaction: of many at once one succeeds. @throws AppError 422 `LINK_INVALID`. */
export async function takeLink(deps: LinkDeps, purpose: LinkPurpose, token: string): Promise<string> {
  const [taken] = await deps.queries.query(deleteLink, [hashesOf(deps.secrets, token), purpose, deps.clock.now()]);
  if (taken === undefined) throw linkInvalid();
  return taken.subject_id;
}

export async function sweepLinks({ database, clock }: { database: Queries; clock: Clock }): Promise<number> {
  return (await database.query(deleteOldLinks, [clock.now()])).length;
}

/** The hashes that may be stored: a link that was sent under an older pepper stays valid. */
function hashesOf(secrets: Secrets, token: string): string[] {
  return secrets.hmacs(HASHED, token);
}
