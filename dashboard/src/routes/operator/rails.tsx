import { createFileRoute } from '@tanstack/react-router';
import { RailsPage } from '../../rails/rails-page.tsx';

export const Route = createFileRoute('/operator/rails')({ component: RailsPage });
