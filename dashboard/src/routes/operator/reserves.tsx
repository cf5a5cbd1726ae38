import { createFileRoute } from '@tanstack/react-router';
import { ReservesPage } from '../../reserves/reserves-page.tsx';

export const Route = createFileRoute('/operator/reserves')({ component: ReservesPage });
