/** Style sheets, which esbuild bundles; they export nothing. */
declare module '*.css';

/** public/times.js, which the portal's pages load too. */
declare module '*/assets/times.js' {
  export function shown(
    at: string,
    only?: 'day',
  ): { readonly textContent: string; readonly title: string; readonly lang: string };
}
