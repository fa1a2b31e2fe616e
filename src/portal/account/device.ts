/** A few words for the browser behind a session: "Chrome on Windows". Only ever shown to the person whose session it is. */
const first = (userAgent: string, names: readonly (readonly [RegExp, string])[]) => names.find(([pattern]) => pattern.test(userAgent))?.[1];

/** Browsers name those that they descend from as well: the more special one comes first. */
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

export const deviceOf = (userAgent: string): string =>
  [first(userAgent, browsers) ?? 'Unknown browser', first(userAgent, systems)].filter(Boolean).join(' on ');
