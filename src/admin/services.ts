import { disableService, enableService, SERVICE_KEYS } from '../merchants/index.ts';
import { type Command, MERCHANT } from './command.ts';

const options = {
  merchant: MERCHANT,
  service: { type: 'string', about: `one or more of ${SERVICE_KEYS.join(', ')}`, required: true, multiple: true },
} as const;

export const serviceCommands: readonly Command[] = [
  {
    name: 'enable-service',
    about: 'switch services on for a merchant',
    options,
    async run(deps, given) {
      for (const service of given.list('service') ?? []) {
        const choice = { merchantId: given.id('merchant'), service: service.toUpperCase() };
        await enableService({ queries: deps.database, clock: deps.clock }, choice);
        deps.print(`${choice.service} is on`);
      }
    },
  },
  {
    name: 'disable-service',
    about: 'switch services off; what was begun goes on',
    options,
    async run(deps, given) {
      for (const service of given.list('service') ?? []) {
        const choice = { merchantId: given.id('merchant'), service: service.toUpperCase() };
        await disableService({ queries: deps.database }, choice);
        deps.print(`${choice.service} is off`);
      }
    },
  },
];
