import { nameOfPerson, type Visitor } from '../../access/index.ts';
import { type SecurityNotice, tellOperators, tellOwners } from '../../mail/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Queries } from '../../platform/db/database.ts';
import { lagosClock } from '../../platform/lagos-time.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { cleanedText } from '../../platform/text.ts';
import type { PersonRow } from '../queries.ts';
import { deleteOldDevices, insertDevice, updateDeviceSeen } from './queries.ts';
import { isSecret, makeSecret } from './session-secret.ts';

/** As long as a browser keeps the cookie at most. */
const FORGET_MS = 400 * 24 * 60 * 60_000;
const MAX_USER_AGENT_LENGTH = 200;

interface DeviceDeps {
  queries: Queries;
  secrets: Secrets;
  clock: Clock;
}

/**
 * Notes that a person signed in from this browser, in the transaction that signs them in. Where it was never seen with
 * them before, they and the owners of their business (or all of the operator's staff) are told by mail; the browser in
 * which an account begins is told to nobody.
 * @returns the secret that the browser keeps.
 */
export async function noteDevice(
  deps: DeviceDeps,
  person: Pick<PersonRow, 'id' | 'merchant_id' | 'email' | 'first_name' | 'last_name'>,
  visitor: Visitor,
  { isFirst }: { isFirst: boolean },
): Promise<string> {
  const { queries, secrets, clock } = deps;
  const now = clock.now();
  const kept = visitor.deviceSecret;
  const secret = kept !== undefined && isSecret(kept) ? kept : makeSecret();
  const hashes = secrets.hmacs('device', secret);
  if ((await queries.query(updateDeviceSeen, [person.id, hashes, now])).length > 0) return secret;
  await queries.query(insertDevice, [person.id, hashes[0], now]);
  if (!isFirst) await tell(deps, person, visitor, now);
  return secret;
}

async function tell(
  deps: DeviceDeps,
  { merchant_id: merchantId, email, first_name: firstName, last_name: lastName }: Parameters<typeof noteDevice>[1],
  { ip, userAgent }: Visitor,
  at: Date,
): Promise<void> {
  const name = nameOfPerson({ firstName, lastName, email });
  const who = name === email ? email : `${name} (${email})`;
  const browser = cleanedText(userAgent.slice(0, MAX_USER_AGENT_LENGTH)) || 'a browser that does not say what it is';
  const notice = (organization: string): SecurityNotice => ({
    subject: `A new browser signed in to ${organization}`,
    paragraphs: [
      `${who} signed in to ${organization} on ${lagosClock(at)} Lagos time, from a browser that was not used with this account before: ${browser}, at the address ${ip}.`,
      `If that was not ${name}, they choose a new password now, which ends every session, and look under "Your sign-in and sessions".`,
    ],
  });
  if (merchantId === null) await tellOperators(deps, notice('the operator\u2019s pages'), [email]);
  else await tellOwners(deps, merchantId, notice, [email]);
}

/** Forgets browsers that have forgotten us. */
export async function sweepDevices({ database, clock }: { database: Queries; clock: Clock }): Promise<number> {
  return (await database.query(deleteOldDevices, [new Date(clock.now().getTime() - FORGET_MS)])).length;
}
