/** Style sheets, which esbuild bundles; they export nothing. */
declare module '*.css';
