import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs every `check:` script of package.json, as many at once as there are processors, and says of each how it went. Those
 * that take longest stand first there.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BINARIES = join(ROOT, 'node_modules', '.bin');

/**
 * The types of everything are checked by a program of Go, which spends a quarter of its time on collecting garbage that a
 * machine with some memory may keep to the end.
 */
const KEEP_GARBAGE = { GOGC: 'off', GOMEMLIMIT: '3GiB' };

interface Step {
  name: string;
  command: string;
}

function readSteps(): Step[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  return Object.entries(scripts)
    .filter(([name]) => name.startsWith('check:'))
    .map(([name, command]) => ({ name: name.slice('check:'.length), command }));
}

/** @returns whether the step passed. What it wrote is shown where it did not. */
function run({ name, command }: Step): Promise<boolean> {
  const startedAt = performance.now();
  const path = `${BINARIES}${delimiter}${process.env['PATH'] ?? ''}`;
  const child = spawn(command, {
    cwd: ROOT,
    shell: true,
    env: { ...KEEP_GARBAGE, ...process.env, PATH: path },
    stdio: 'pipe',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      console.log(`${code === 0 ? '✓' : '✗'} ${name.padEnd(16)} ${seconds.padStart(5)} s`);
      if (code !== 0) console.log(`${output.trimEnd()}\n`);
      resolve(code === 0);
    });
  });
}

const waiting = readSteps();
let failed = 0;

async function work(): Promise<void> {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    if (!(await run(step))) failed += 1;
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
if (failed > 0) {
  console.error(`${failed} of the checks failed.`);
  process.exitCode = 1;
}
