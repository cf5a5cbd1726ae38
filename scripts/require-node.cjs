// Preloaded before src/main.ts. A Node that cannot read TypeScript would stop at the first file with a message that
// helps nobody, so this file is plain, old JavaScript.
'use strict';

const MINIMUM = 24;
const major = Number(process.versions.node.split('.')[0]);

if (!(major >= MINIMUM)) {
  process.stderr.write(
    [
      `Manilla needs Node ${MINIMUM} or newer; this is Node ${process.versions.node} (${process.execPath}).`,
      `  In a checkout: npm ci installs Node ${MINIMUM} beside the packages, and npm start, npm test and npm run use it.`,
      `  Installed without optional packages (npm ci --omit=optional): put Node ${MINIMUM} on the PATH of the machine.`,
      '',
    ].join('\n'),
  );
  process.exit(1);
}

require('./strip-types.cjs');
