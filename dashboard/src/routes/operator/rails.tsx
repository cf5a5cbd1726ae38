import { createFileRoute } from '@tanstack/react-router';
import { RailsPage } from '../../operator/rails-page.tsx';

export const Route = createFileRoute('/operator/rails')({ component: RailsPage });
