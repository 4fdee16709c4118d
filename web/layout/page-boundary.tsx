import { Component, type ReactNode } from 'react';
import { ErrorState } from '../components/error-state.tsx';

interface Props {
  readonly children: ReactNode;
}

/** Keeps the navigation if a page fails, for example because an upgrade removed its code. */
export class PageBoundary extends Component<Props, { error?: Error }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error) return <ErrorState order={1} error={error} onRetry={() => location.reload()} />;
    return this.props.children;
  }
}
