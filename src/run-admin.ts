import { userInfo } from 'node:os';
import { text } from 'node:stream/consumers';
import { createPinGuard } from './access/index.ts';
import { type PepperKeeping, runAdmin } from './admin/index.ts';
import type { Config } from './config.ts';
import { createContainer } from './container.ts';
import { addPepperToFile, makePepper, removePepperFromFile } from './platform/secrets.ts';
import type { Runtime } from './runtime.ts';
import { openMerchantWallets } from './wallets/index.ts';

/** One command of the operator, with what a merchant’s own commands need behind it. @returns the exit code */
export async function runAdminCommand(config: Config, runtime: Runtime, argv: readonly string[]): Promise<number> {
  const { clock } = runtime;
  const container = createContainer({ config, ...runtime });
  try {
    return await runAdmin(argv, {
      ...runtime,
      ledger: container.ledger,
      payouts: () => container,
      refunds: () => container,
      collections: () => container,
      peppers: pepperKeeping(config),
      archive: { directory: config.archiveDir, afterMonths: config.archiveAfterMonths },
      pinGuard: createPinGuard(runtime),
      openWallets: (tx, id, businessName) =>
        openMerchantWallets(tx, config.walletBank, { id, businessName }, clock.now()),
      actor: nameOfUser(),
      print: (line) => console.log(line),
      warn: (line) => console.error(line),
      readInput: async () => (await text(process.stdin)).replace(/\r?\n$/, ''),
    });
  } finally {
    await container.ledger.drain();
  }
}

/** Who runs the command, for the audit log. In a container a user may have a number and no name. */
function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

function pepperKeeping({ dataDir, pinPepper, previousPinPeppers }: Config): PepperKeeping {
  if (pinPepper === undefined) {
    const file = { add: () => addPepperToFile(dataDir), remove: (id: string) => removePepperFromFile(dataDir, id) };
    return { file, settingsWithNew: () => [] };
  }
  const previous = [pinPepper, ...previousPinPeppers].map(encodeURIComponent).join(',');
  return {
    file: undefined,
    settingsWithNew: () => [`PIN_PEPPER=${makePepper()}`, `PIN_PEPPER_PREVIOUS=${previous}`],
  };
}
