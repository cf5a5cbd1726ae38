import { type ClassValue, clsx } from 'clsx';
import { twMerge } from 'tailwind-merge';

/** Joins class names; of two that say the same thing the later one counts. */
export function cn(...values: ClassValue[]): string {
  return twMerge(clsx(values));
}
