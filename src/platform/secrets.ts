import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * Secrets that must never be in the database beside the data that they protect: the pepper, which is part of every
 * keyed hash, and the key that values are sealed under. There may be several peppers, while something is still stored
 * under an older one; new hashes are made under the first.
 */
export interface Secrets {
  /** Names the pepper for new hashes. It is made of the pepper and reveals nothing of it. */
  readonly pepperId: string;
  /** The given peppers, the one for new hashes first. */
  readonly pepperIds: readonly string[];
  /** Keyed hash in base64url. `purpose` keeps the uses apart. */
  hmac(purpose: string, text: string): string;
  /**
   * The same under each given pepper, for a value that may have been stored under an older one; `hmac` is the first.
   */
  hmacs(purpose: string, text: string): string[];
  /** The same under one of them; undefined where that one is not given. */
  hmacUnder(pepperId: string, purpose: string, text: string): string | undefined;
  /** Names the key that values are sealed under. It is made of the key and reveals nothing of it. */
  readonly encryptionKeyId: string;
  /** AES-256-GCM, bound to `context` (table, merchant, column): a value copied to another row does not open. */
  seal(plaintext: string, context: string): string;
  /** @throws when the text was altered or belongs to another context. */
  open(sealed: string, context: string): string;
  /** As `seal`, for files. */
  sealBytes(plain: Buffer, context: string): Buffer;
  /** @throws as `open`. */
  openBytes(sealed: Buffer, context: string): Buffer;
  /** 32 bytes for signing JSON Web Tokens. */
  readonly tokenKey: Uint8Array;
}

const SEALED_VERSION = 'v1';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
/** Nonce and authentication tag stand before the sealed bytes. */
const HEAD_BYTES = NONCE_BYTES + 16;

/** @param previousPeppers older ones that something may still be stored under. */
export function createSecrets(
  pinPepper: string,
  keyEncryptionKey: string,
  previousPeppers: readonly string[] = [],
): Secrets {
  const peppers = [...new Set([pinPepper, ...previousPeppers])].map((pepper) => ({ id: pepperIdOf(pepper), pepper }));
  const under = (pepper: string, purpose: string, text: string) =>
    createHmac('sha256', pepper).update(`${purpose}\0${text}`).digest('base64url');
  const key = Buffer.from(keyEncryptionKey, 'base64');
  const sealBytes = (plain: Buffer, context: string): Buffer => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  };
  const openBytes = (sealed: Buffer, context: string): Buffer => {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, HEAD_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]);
  };
  return {
    pepperId: pepperIdOf(pinPepper),
    pepperIds: peppers.map(({ id }) => id),
    hmac: (purpose, text) => under(pinPepper, purpose, text),
    hmacs: (purpose, text) => peppers.map(({ pepper }) => under(pepper, purpose, text)),
    hmacUnder(pepperId, purpose, text) {
      const found = peppers.find(({ id }) => id === pepperId);
      return found === undefined ? undefined : under(found.pepper, purpose, text);
    },
    encryptionKeyId: shortIdOf(key, 'encryption-key-id'),
    seal: (plaintext, context) =>
      `${SEALED_VERSION}.${sealBytes(Buffer.from(plaintext, 'utf8'), context).toString('base64url')}`,
    open(sealed, context) {
      const [version, text] = sealed.split('.');
      if (version !== SEALED_VERSION || text === undefined) throw new Error('not a sealed value of a known version');
      return openBytes(Buffer.from(text, 'base64url'), context).toString('utf8');
    },
    sealBytes,
    openBytes,
    tokenKey: new Uint8Array(hkdfSync('sha256', key, '', 'manilla/jwt', 32)),
  };
}

const pepperIdOf = (pepper: string): string => shortIdOf(pepper, 'pepper-id');

/** Short enough to read out, long enough that no two secrets share it. */
function shortIdOf(secret: string | Buffer, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('hex').slice(0, 12);
}

export function makePepper(): string {
  return randomBytes(32).toString('base64');
}

interface SecretsFile {
  pinPepper: string;
  /** Newest first; files of earlier releases have none. */
  previousPinPeppers?: string[];
  keyEncryptionKey: string;
}

const pathIn = (dataDir: string) => join(dataDir, 'secrets.json');

/** The file exists and holds no secrets of ours; its message is for the operator. */
export class SecretsFileError extends Error {}

/** Other secrets are given than those that something stored needs; the message says which, and what to do. */
export class OtherSecretsError extends Error {}

/**
 * The secrets of an embedded start: made once into `dataDir/secrets.json` (0600), and read from it ever after. Where
 * several starts make them at once, all use those of the first. They are made before the database is.
 * @throws SecretsFileError also where there is a database without them, such as after a restore: it needs those of before.
 */
export function loadOrCreateSecrets(dataDir: string): Secrets {
  if (!existsSync(pathIn(dataDir))) {
    const database = join(dataDir, 'pg');
    if (lstatSync(database, { throwIfNoEntry: false }) !== undefined) {
      throw new SecretsFileError(
        `${pathIn(dataDir)} is missing, and the database in ${database} needs it: nothing is made in its place. Bring it back ` +
          'from where you keep a copy. If it is lost for good, docs/backup-and-retention.md says under Backup and restore how to go on.',
      );
    }
    mkdirSync(dataDir, { recursive: true });
    writeAside(
      dataDir,
      { pinPepper: makePepper(), keyEncryptionKey: randomBytes(KEY_BYTES).toString('base64') },
      linkNew,
    );
  }
  const { pinPepper, previousPinPeppers, keyEncryptionKey } = readSecrets(dataDir);
  return createSecrets(pinPepper, keyEncryptionKey, previousPinPeppers);
}

/** Puts a new pepper before the ones in `dataDir/secrets.json`, and returns the secrets as they are from now on. */
export function addPepperToFile(dataDir: string): Secrets {
  const { pinPepper, previousPinPeppers = [], keyEncryptionKey } = readSecrets(dataDir);
  const previous = [pinPepper, ...previousPinPeppers];
  writeAside(dataDir, { pinPepper: makePepper(), previousPinPeppers: previous, keyEncryptionKey }, renameSync);
  return loadOrCreateSecrets(dataDir);
}

/** Removes an older pepper from `dataDir/secrets.json`; false where it is not there, or is the one for new hashes. */
export function removePepperFromFile(dataDir: string, pepperId: string): boolean {
  const { previousPinPeppers = [], ...rest } = readSecrets(dataDir);
  const left = previousPinPeppers.filter((pepper) => pepperIdOf(pepper) !== pepperId);
  if (left.length === previousPinPeppers.length) return false;
  writeAside(dataDir, { ...rest, previousPinPeppers: left }, renameSync);
  return true;
}

/**
 * @throws SecretsFileError for any other content: no new secrets are made in its place, since stored values need the
 *   old ones.
 */
function readSecrets(dataDir: string): SecretsFile {
  const path = pathIn(dataDir);
  try {
    const found = JSON.parse(readFileSync(path, 'utf8')) as Partial<SecretsFile> | null;
    if (isSecretsFile(found)) return found;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new SecretsFileError(
    `${path} is not as it was written: it has to hold pinPepper, keyEncryptionKey (32 bytes in base64) and, after a ` +
      'rotation, previousPinPeppers. Bring it back from where you keep a copy; without it nothing that is stored opens.',
  );
}

function isSecretsFile(found: Partial<SecretsFile> | null): found is SecretsFile {
  if (found === null || typeof found !== 'object') return false;
  const { pinPepper, previousPinPeppers = [], keyEncryptionKey } = found;
  if (!Array.isArray(previousPinPeppers) || typeof keyEncryptionKey !== 'string') return false;
  const peppers: readonly unknown[] = [pinPepper, ...previousPinPeppers];
  const areGiven = peppers.every((pepper) => typeof pepper === 'string' && pepper !== '');
  return areGiven && Buffer.from(keyEncryptionKey, 'base64').length === KEY_BYTES;
}

/**
 * Written under another name, flushed, and renamed in one step: a crash leaves the former file or the whole new one.
 */
function writeAside(dataDir: string, secrets: SecretsFile, give: (aside: string, path: string) => void): void {
  const path = pathIn(dataDir);
  const aside = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    writeFileSync(aside, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
    chmodSync(aside, 0o600);
    keepOwner(path, aside);
    give(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
  syncFolder(dataDir);
}

/** A command of root's must not lock out the service, whose user owns the file. */
function keepOwner(path: string, aside: string): void {
  const before = process.getuid?.() === 0 ? statSync(path, { throwIfNoEntry: false }) : undefined;
  if (before !== undefined) lchownSync(aside, before.uid, before.gid);
}

/** Where another start was faster, its file is used. */
function linkNew(aside: string, path: string): void {
  try {
    linkSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** A name is on the disk once its folder is flushed, before anything is stored under these secrets. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
