/** The settings in `index.html`, so that one build runs against every server. */

const read = (name: string): string => {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
  if (!content) throw new Error(`index.html has no <meta name="${name}">.`);
  return content;
};

/** The base URL of the API, without a slash at the end. */
export const baseUrl = read('lanyard-url');
/** The client id of a public app. */
export const clientId = read('lanyard-client-id');
/** The redirect URI of the app. The web server must return `index.html` there. */
export const redirectUri = `${location.origin}/callback`;
