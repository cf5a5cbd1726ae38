import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SCRIPTS = fileURLToPath(new URL('../../scripts/', import.meta.url));
/** What Node strips types with. */
const STRIPPER = 'internal/deps/amaro';
let home: string;
let kept: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'manilla-stripped-'));
  kept = join(home, 'node_modules/.cache/manilla/stripped');
  for (const folder of ['scripts', 'src']) mkdirSync(join(home, folder));
  for (const name of ['require-node.cjs', 'strip-types.cjs']) cpSync(join(SCRIPTS, name), join(home, 'scripts', name));
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Says `answer`, and whether the process loaded what strips types. */
const program = (answer: string) => `const answer: string = '${answer}';
const { moduleLoadList } = process as unknown as { moduleLoadList: string[] };
console.log(JSON.stringify([answer, moduleLoadList.some((name) => name.includes('${STRIPPER}'))]));
`;
const write = (text: string) => writeFileSync(join(home, 'src/main.ts'), text);
function run() {
  const args = ['-r', './scripts/require-node.cjs', 'src/main.ts'];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: home, encoding: 'utf8' })) as [string, boolean];
}

describe('the service, which runs from TypeScript', () => {
  it('holds nothing in memory that strips types, from its first start on', () => {
    write(program('this'));
    expect(run()).toEqual(['this', false]);
    expect(readdirSync(kept).length).toBeGreaterThan(0);
    expect(run()).toEqual(['this', false]);
  });

  it('runs its files as they are, also those that were changed to others of the same size and time', () => {
    write(program('this'));
    run();
    const { atime, mtime } = statSync(join(home, 'src/main.ts'));
    write(program('that'));
    utimesSync(join(home, 'src/main.ts'), atime, mtime);
    expect(run()).toEqual(['that', false]);
  });

  it('does not run what was kept and has been cut short or changed', () => {
    write(program('this'));
    run();
    for (const name of readdirSync(kept)) {
      const text = readFileSync(join(kept, name), 'utf8');
      writeFileSync(join(kept, name), text.replace("'this'", "'else'"));
    }
    expect(run()).toEqual(['this', false]);
    for (const name of readdirSync(kept)) writeFileSync(join(kept, name), '');
    expect(run()).toEqual(['this', false]);
  });

  it('runs where nothing can be kept', () => {
    mkdirSync(join(kept, '..'), { recursive: true });
    writeFileSync(kept, 'no folder');
    write(program('this'));
    expect(run()).toEqual(['this', true]);
  });

  it('says in which line of the source it failed', () => {
    write(
      `interface Unused {\n  gone: string;\n}\nconst fail = (what: string): never => {\n  throw new Error(what);\n};\nfail('here');\n`,
    );
    const failed = () =>
      execFileSync(process.execPath, ['-r', './scripts/require-node.cjs', 'src/main.ts'], { cwd: home, stdio: 'pipe' });
    expect(failed).toThrow(/src\/main\.ts:5[\s\S]*src\/main\.ts:5:9[\s\S]*src\/main\.ts:7:1/);
  });
});
