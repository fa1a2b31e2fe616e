/** The effective configuration of a command or server. */
import { type Config, variables } from '../../config.js';
import { type CommandOutput, list } from '../output/command-output.js';
import type { Environment } from '../usage.js';
import { hide, secretsIn } from './secrets.js';

interface Setting {
  readonly name: string;
  /** Secrets are `***`; null when there is neither a value nor a default. */
  readonly value: string | null;
  readonly is_default: boolean;
}

export function showSettings(config: Config, environment: Environment): CommandOutput {
  const secrets = secretsIn(environment);
  const settings = Object.keys(variables.shape).map((name): Setting => {
    const set = environment[name];
    if (set) return { name, value: hide(set, secrets), is_default: false };
    const otherwise = String(config[name as keyof Config] ?? '');
    return { name, value: otherwise || null, is_default: true };
  });
  return list('settings', settings, {
    VARIABLE: ({ name }) => name,
    VALUE: ({ value }) => value,
    FROM: ({ is_default }) => (is_default ? 'default' : 'environment'),
  });
}
