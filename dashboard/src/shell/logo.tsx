import { Link } from '@tanstack/react-router';
import { Mark } from '../sign-in/plain-page.tsx';

export function Logo() {
  return (
    <Link to="/" className="flex items-center gap-2 rounded-md text-base font-semibold tracking-tight">
      <Mark />
      <span className="sr-only sm:not-sr-only">Manilla</span>
    </Link>
  );
}
