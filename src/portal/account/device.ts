import type { Messages } from '../../pages/language.js';

/**
 * A short name for the browser of a session: "Chrome on Windows". Shown only to the session's
 * owner.
 */
const first = (userAgent: string, names: readonly (readonly [RegExp, string])[]) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1];

/** Browsers also name the ones that they derive from, so the more specific one comes first. */
const browsers = [
  [/Edg/, 'Edge'],
  [/OPR/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrom|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
] as const;

const systems = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const;

export function deviceOf(userAgent: string, { sessions: t }: Messages): string {
  const browser = first(userAgent, browsers) ?? t.unknown;
  const system = first(userAgent, systems);
  return system ? t.on(browser, system) : browser;
}
