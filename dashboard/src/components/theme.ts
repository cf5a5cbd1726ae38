export type Theme = 'system' | 'light' | 'dark';

const KEPT = 'manilla.theme';
const listeners = new Set<() => void>();

export function readTheme(): Theme {
  const kept = localStorage.getItem(KEPT);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** The person's choice wins over the system's; it is kept on this device. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, theme);
  applyTheme();
}

export function applyTheme(): void {
  const theme = readTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  for (const listener of listeners) listener();
}

/** For what paints its own colours: called when they change. */
export function onTheme(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', listener);
  listeners.add(listener);
  return () => {
    system.removeEventListener('change', listener);
    listeners.delete(listener);
  };
}

export function themeKey(): string {
  return `${readTheme()} ${matchMedia('(prefers-color-scheme: dark)').matches}`;
}
