// Preloaded by require-node.cjs, and a program of its own. Node strips the types of a file each time that it loads one, with a
// WebAssembly module that stays in memory; its compile cache avoids that, and keeps all that it has read in memory, twice as
// large as on the disk. So types are stripped once, by a process that ends, and what is left is kept beside the packages.
'use strict';

const { hash } = require('node:crypto');
const fs = require('node:fs');
const Module = require('node:module');
const { join, sep } = require('node:path');
const { spawnSync } = require('node:child_process');
const { fileURLToPath } = require('node:url');

const ROOT = join(__dirname, '..');
const FOLDERS = ['src', 'scripts'].map((name) => join(ROOT, name) + sep);
const KEPT = join(ROOT, 'node_modules', '.cache', 'manilla', 'stripped');
/** Of other versions: they may still run from this folder. */
const FORGOTTEN_AFTER_MS = 30 * 86_400_000;

const digestOf = (text) => hash('sha256', text, 'base64url');
/** By what is in it, and not by when it was written: no file of another version passes for it. */
const placeOf = (source) => join(KEPT, `${digestOf(`${process.version}\n${source}`)}.js`);
/** The last line is a digest of the others: what a full disk or a crash cut short is not run. */
const SEAL = '\n//';

function findStripped(source) {
  let kept;
  try {
    kept = fs.readFileSync(placeOf(source), 'utf8');
  } catch {
    return undefined;
  }
  const end = kept.lastIndexOf(SEAL);
  const text = kept.slice(0, end);
  return end !== -1 && kept.slice(end + SEAL.length) === digestOf(text) ? text : undefined;
}

function keep(source) {
  if (findStripped(source) !== undefined) return;
  const text = Module.stripTypeScriptTypes(source);
  const place = placeOf(source);
  const beside = `${place}.${process.pid}`;
  fs.writeFileSync(beside, text + SEAL + digestOf(text));
  fs.renameSync(beside, place);
}

/** All files, so that one process does it once after an installation or an upgrade. */
function stripAll() {
  fs.mkdirSync(KEPT, { recursive: true });
  const current = new Set();
  for (const folder of FOLDERS) {
    if (!fs.existsSync(folder)) continue;
    for (const name of fs.readdirSync(folder, { recursive: true })) {
      if (!name.endsWith('.ts')) continue;
      const source = fs.readFileSync(join(folder, name), 'utf8');
      current.add(placeOf(source));
      keep(source);
    }
  }
  const before = Date.now() - FORGOTTEN_AFTER_MS;
  for (const name of fs.readdirSync(KEPT)) {
    const place = join(KEPT, name);
    if (!current.has(place) && fs.statSync(place).mtimeMs < before) fs.rmSync(place, { force: true });
  }
}

/** Where nothing can be kept, Node does it: at each start and with its own cache. */
function useKept() {
  let isAsked = false;
  Module.registerHooks({
    load(url, context, nextLoad) {
      const file = url.startsWith('file:') && url.endsWith('.ts') ? fileURLToPath(url) : '';
      if (!FOLDERS.some((folder) => file.startsWith(folder))) return nextLoad(url, context);
      const source = fs.readFileSync(file, 'utf8');
      let text = findStripped(source);
      if (text === undefined && !isAsked) {
        isAsked = true;
        const { status } = spawnSync(process.execPath, ['--no-warnings', __filename], { stdio: 'ignore' });
        if (status !== 0) Module.enableCompileCache();
        text = findStripped(source);
      }
      return text === undefined ? nextLoad(url, context) : { format: 'module', source: text, shortCircuit: true };
    },
  });
}

if (require.main === module) stripAll();
else if (typeof Module.registerHooks === 'function') useKept();
else Module.enableCompileCache();
