/** The secrets of an environment. */
import type { Environment } from '../usage.js';

/** Passwords in URLs, decoded and encoded, and keys. */
export const secretsIn = (environment: Environment): string[] =>
  Object.entries(environment)
    .flatMap(([name, value = '']) => {
      if (name === 'KEY_ENCRYPTION_SECRET') return value.split(',').map((secret) => secret.trim());
      if (!name.endsWith('_URL') || !URL.canParse(value)) return [];
      const { password, searchParams } = new URL(value);
      return [password, decoded(password), searchParams.get('password') ?? ''];
    })
    .filter(Boolean);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const hide = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
