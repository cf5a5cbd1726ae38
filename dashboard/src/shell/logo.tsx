import { Link } from '@tanstack/react-router';

export function Mark() {
  return <img src={`${import.meta.env.BASE_URL}manilla.svg`} alt="" width={26} height={26} />;
}

export function Logo() {
  return (
    <Link to="/" className="flex items-center gap-2 rounded-md text-base font-semibold tracking-tight">
      <Mark />
      <span className="sr-only sm:not-sr-only">Manilla</span>
    </Link>
  );
}
