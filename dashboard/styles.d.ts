/** Style sheets are imported for esbuild to bundle; they give no value. */
declare module '*.css';
