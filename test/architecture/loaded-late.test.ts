import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const IMPORT = /^(?:import|export)\s(?!type\s)[^;]*?from '([^']+)';$/gms;

/** Every file of ours and every package that is loaded with this file; what `import()` loads is loaded when it is needed. */
function loadedWith(entry: URL): Set<string> {
  const loaded = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (loaded.has(file.href)) continue;
    loaded.add(file.href);
    for (const [, from = ''] of readFileSync(fileURLToPath(file), 'utf8').matchAll(IMPORT)) {
      if (from.startsWith('.')) waiting.push(new URL(from, file));
      else loaded.add(from);
    }
  }
  return loaded;
}

describe('what takes much memory', () => {
  it('is not loaded with the service where most processes never need it: proofs, commands, mails and workbooks', () => {
    const service = loadedWith(new URL('../../src/run-service.ts', import.meta.url));
    const late = ['../../src/verify/checks.ts', '../../src/verify/prove.ts', '../../src/admin/index.ts'].map(
      (path) => new URL(path, import.meta.url),
    );
    for (const file of late) expect(service).not.toContain(file.href);
    for (const heavy of ['nodemailer', 'write-excel-file/node']) expect(service).not.toContain(heavy);
  });

  it('is not loaded with the service, which draws PDFs in a thread or seldom', () => {
    const service = loadedWith(new URL('../../src/run-service.ts', import.meta.url));
    expect(service.size).toBeGreaterThan(500);
    expect(service).toContain('fastify');
    for (const heavy of ['pdfkit', 'fontkit']) expect(service).not.toContain(heavy);
    const drawer = loadedWith(new URL('../../src/daily-close/draw-close.ts', import.meta.url));
    expect(drawer).toContain('pdfkit');
  });

  it.each(['main.ts', 'supervisor.ts', 'command.ts'])(
    'is not loaded with %s, which waits for processes, migrates, or says which word it does not know',
    (file) => {
      const loaded = loadedWith(new URL(`../../src/${file}`, import.meta.url));
      expect(loaded).toContain('typebox');
      for (const heavy of ['fastify', 'undici/index.js', 'typebox/value']) expect(loaded).not.toContain(heavy);
      const modules = [...loaded].flatMap((each) => /\/src\/([^/]+)\/[^/]+\.ts$/.exec(each)?.[1] ?? []);
      expect(modules.filter((name) => name !== 'platform' && name !== 'retention')).toEqual([]);
    },
  );
});
