import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What must never be in the database beside the data it protects. */
export interface Secrets {
  /** Keyed hash for API keys and PINs, in base64url. `purpose` keeps the uses apart. */
  hmac(purpose: string, text: string): string;
  /** AES-256-GCM, bound to `context` (table, merchant, column): a value copied to another row does not open. */
  seal(plaintext: string, context: string): string;
  /** @throws when the text was altered or belongs to another context. */
  open(sealed: string, context: string): string;
  /** As `seal`, for what is no text: a file. */
  sealBytes(plain: Buffer, context: string): Buffer;
  /** @throws as `open`. */
  openBytes(sealed: Buffer, context: string): Buffer;
  /** 32 bytes for signing JSON Web Tokens. */
  readonly tokenKey: Uint8Array;
}

const SEALED_VERSION = 'v1';
const NONCE_BYTES = 12;
/** Nonce and authentication tag stand before the sealed bytes. */
const HEAD_BYTES = NONCE_BYTES + 16;

export function createSecrets(pinPepper: string, keyEncryptionKey: string): Secrets {
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
    hmac: (purpose, text) => createHmac('sha256', pinPepper).update(`${purpose}\0${text}`).digest('base64url'),
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

interface SecretsFile {
  pinPepper: string;
  keyEncryptionKey: string;
}

/** The secrets of an embedded start: made once into `dataDir/secrets.json` (0600), read back ever after. */
export function loadOrCreateSecrets(dataDir: string): SecretsFile {
  const path = join(dataDir, 'secrets.json');
  if (!existsSync(path)) {
    mkdirSync(dataDir, { recursive: true });
    const made: SecretsFile = {
      pinPepper: randomBytes(32).toString('base64'),
      keyEncryptionKey: randomBytes(32).toString('base64'),
    };
    // Written aside and renamed: a crash leaves a whole file or none.
    writeFileSync(`${path}.new`, JSON.stringify(made, null, 2), { mode: 0o600 });
    chmodSync(`${path}.new`, 0o600);
    renameSync(`${path}.new`, path);
  }
  return JSON.parse(readFileSync(path, 'utf8')) as SecretsFile;
}
