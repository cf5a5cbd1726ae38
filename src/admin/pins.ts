import { requireMerchant } from '../merchants/index.ts';
import { type Command, type Given, MERCHANT, modeOf, THE_OPERATOR } from './command.ts';

const MODE = { type: 'string', about: 'SANDBOX or LIVE: each has a PIN of its own', required: true } as const;

const tenantOf = (options: Given) => ({ merchantId: options.id('merchant'), mode: modeOf(options.text('mode')) });
const wordOf = (options: Given) => modeOf(options.text('mode')).toLowerCase();

export const pinCommands: readonly Command[] = [
  {
    name: 'set-pin',
    audit: 'KEYS',
    about: "set a merchant's PIN of one mode, read from standard input",
    options: {
      merchant: MERCHANT,
      mode: MODE,
      pin: { type: 'string', about: 'the PIN itself; others on this machine may see it, so prefer standard input' },
    },
    async run(deps, options) {
      const tenant = tenantOf(options);
      await requireMerchant(deps.database, tenant.merchantId);
      const onCommandLine = options.maybe('pin');
      if (onCommandLine !== undefined) {
        deps.warn('A PIN on the command line stays in the shell history and is seen in the process list.');
      }
      await deps.pinGuard.setPin(tenant, onCommandLine ?? (await deps.readInput()), THE_OPERATOR);
      deps.print(`the ${wordOf(options)} PIN is set`);
    },
  },
  {
    name: 'unlock-pin',
    audit: 'KEYS',
    about: 'end the lock of one mode after five wrong PINs',
    options: { merchant: MERCHANT, mode: MODE },
    async run(deps, options) {
      await deps.pinGuard.unlockPin(tenantOf(options));
      deps.print(`the ${wordOf(options)} PIN is unlocked`);
    },
  },
];
