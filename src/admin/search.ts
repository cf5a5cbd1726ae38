import { rebuildIndexes } from '../search/index.ts';
import type { Command } from './command.ts';

export const searchCommands: readonly Command[] = [
  {
    name: 'rebuild-search',
    audit: 'SETTINGS',
    about: 'empty the index of the search and have the workers fill it again from the tables',
    options: { merchant: { type: 'string', about: 'id of one merchant; all without it' } },
    async run(deps, options) {
      const merchantId = options.maybeId('merchant');
      const begun = await rebuildIndexes(deps, merchantId);
      for (const tenant of begun) deps.print(`${tenant.merchantId}\t${tenant.mode}`);
      if (begun.length === 0) deps.warn('There is no index yet: a worker makes it.');
      else
        deps.warn(
          'The workers fill these, within six minutes where there are more than 500 merchants. Until then searches find less, and say so.',
        );
    },
  },
];
