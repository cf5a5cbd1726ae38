import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
/** Databases of 27 files took 372 MB at most; clusters that tests make for themselves come on top. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Where a run of the tests keeps its files: in memory where there is enough. Each database is a thousand files that are
 * written, read once and removed, and on a disk that is half of the work of the run. `TMPDIR` decides otherwise.
 */
export function scratchFolder(): string {
  return process.env['TMPDIR'] ?? (isRoomy() ? MEMORY : tmpdir());
}

function isRoomy(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED_BYTES && mayRunPrograms();
  } catch {
    return false;
  }
}

/** The embedded server runs from its data folder. Containers often forbid that here. */
function mayRunPrograms(): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts.find((line) => line.split(' ')[1] === MEMORY)?.split(' ')[3] ?? 'noexec';
  return !options.split(',').includes('noexec');
}
