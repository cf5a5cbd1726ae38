import { requireMerchant } from '../merchants/index.ts';
import { type Command, MERCHANT, THE_OPERATOR } from './command.ts';

export const pinCommands: readonly Command[] = [
  {
    name: 'set-pin',
    audit: 'KEYS',
    about: "set a merchant's PIN, read from standard input",
    options: {
      merchant: MERCHANT,
      pin: { type: 'string', about: 'the PIN itself; others on this machine may see it, so prefer standard input' },
    },
    async run(deps, options) {
      const merchantId = options.id('merchant');
      await requireMerchant(deps.database, merchantId);
      const onCommandLine = options.maybe('pin');
      if (onCommandLine !== undefined) {
        deps.warn('A PIN on the command line stays in the shell history and is seen in the process list.');
      }
      await deps.pinGuard.setPin(merchantId, onCommandLine ?? (await deps.readInput()), THE_OPERATOR);
      deps.print('the PIN is set');
    },
  },
  {
    name: 'unlock-pin',
    audit: 'KEYS',
    about: 'end the lock after five wrong PINs',
    options: { merchant: MERCHANT },
    async run(deps, options) {
      await deps.pinGuard.unlockPin(options.id('merchant'));
      deps.print('the PIN is unlocked');
    },
  },
];
