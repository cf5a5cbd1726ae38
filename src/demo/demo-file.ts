import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface SignInData {
  email: string;
  password: string;
}

/** `DATA_DIR/demo.json`: how to sign in to what the first start made. */
export interface DemoFile {
  baseUrl: string;
  merchantId: string;
  secretKey: string;
  publicKey: string;
  pin: string;
  storeIds: string[];
  subaccountIds: string[];
  dashboard: SignInData;
  operator: SignInData;
  /** A second member, who may approve, and a second one of the operator's staff. */
  colleagues: { approver: SignInData; operator: SignInData };
  pendingMerchant: { merchantId: string; secretKey: string };
}

const pathIn = (dataDir: string) => join(dataDir, 'demo.json');

export function readDemoFile(dataDir: string): DemoFile | undefined {
  const path = pathIn(dataDir);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as DemoFile) : undefined;
}

/**
 * A note that the demo is being made: where it is found at a start, an earlier one was killed over it, and what it left
 * in the database has keys that nobody knows.
 */
const notePathIn = (dataDir: string) => join(dataDir, 'demo.unfinished');

export function noteDemoBegun(dataDir: string): void {
  writeFileSync(notePathIn(dataDir), 'The next start makes the demo anew.\n', { mode: 0o600 });
}

export function isDemoUnfinished(dataDir: string): boolean {
  return existsSync(notePathIn(dataDir)) && !existsSync(pathIn(dataDir));
}

/** Only its owner may read it. Written aside and renamed, so that it is whole or not there. */
export function writeDemoFile(dataDir: string, demo: DemoFile): void {
  const path = pathIn(dataDir);
  writeFileSync(`${path}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  chmodSync(`${path}.new`, 0o600);
  renameSync(`${path}.new`, path);
  rmSync(notePathIn(dataDir), { force: true });
}
