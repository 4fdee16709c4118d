import type { Link } from '../message.ts';
import type { Reader } from './reader.ts';

/** Addresses of pages of the dashboard for a reader. */
export interface Links {
  finding(id: string): Link;
  /** A page of the organization, such as `findings`, with its filters. */
  page(section: string, query?: Readonly<Record<string, string>>): Link;
}

export function linksFor({ dashboard, organization }: Reader): Links {
  return {
    finding: id => dashboard && `${dashboard}/findings/${id}`,
    page: (section, query = {}) => {
      const text = new URLSearchParams(query).toString();
      return dashboard && `${dashboard}/o/${organization.id}/${section}${text && `?${text}`}`;
    },
  };
}
