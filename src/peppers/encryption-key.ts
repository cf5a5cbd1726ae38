import type { Queries } from '../platform/db/database.ts';
import { OtherSecretsError } from '../platform/secrets.ts';
import { type PepperDeps, requirePeppers } from './peppers.ts';
import { deleteEncryptionKey, insertEncryptionKey, listEncryptionKeys } from './queries.ts';

/**
 * Before anything is sealed or opened: the key-encryption key that is given has to be that of this database, or nothing of
 * before would open, and what is sealed now would not open later. Notes the key in a database that knows none.
 * @throws OtherSecretsError
 */
async function requireEncryptionKey({ queries, secrets, clock }: PepperDeps): Promise<void> {
  let known = await queries.query(listEncryptionKeys);
  if (known.length === 0) {
    await queries.query(insertEncryptionKey, [secrets.encryptionKeyId, clock.now()]);
    // Of two first starts at once, the one that was earlier is right.
    known = await queries.query(listEncryptionKeys);
  }
  const why = otherKey(known[0]?.id, secrets);
  if (why !== undefined) throw new OtherSecretsError(why);
}

function otherKey(id: string | undefined, { encryptionKeyId }: PepperDeps['secrets']): string | undefined {
  if (id === undefined || id === encryptionKeyId) return undefined;
  return (
    `KEY_ENCRYPTION_KEY (or keyEncryptionKey of secrets.json) is another one than before: it is ${encryptionKeyId}, ` +
    `and this database is sealed under ${id}. No account of a rail, document, BVN, second factor or webhook secret ` +
    'would open. Give the one of before. If it is lost for good, `npm run admin -- forget-encryption-key ' +
    `--key ${id} --reason …\` lets another one begin.`
  );
}

/** Why nothing sealed in this database opens with these secrets; undefined where it does. Reads one row and writes none. */
export async function whyNothingOpens({
  queries,
  secrets,
}: Pick<PepperDeps, 'queries' | 'secrets'>): Promise<string | undefined> {
  return otherKey((await queries.query(listEncryptionKeys))[0]?.id, secrets);
}

/** Lets another key begin where this one is lost; nothing that is sealed under it opens any more. False where it is not known. */
export async function forgetEncryptionKey(queries: Queries, id: string): Promise<boolean> {
  return (await queries.query(deleteEncryptionKey, [id])).length > 0;
}

/**
 * The secrets that are given are those of this database: nothing is hashed, sealed or checked under others.
 * @throws OtherSecretsError
 */
export async function requireSecrets(deps: PepperDeps): Promise<void> {
  await requirePeppers(deps);
  await requireEncryptionKey(deps);
}
