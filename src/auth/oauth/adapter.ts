/** The storage of oidc-provider: each model in PostgreSQL, and one statement per operation. */
import type { AdapterFactory } from 'oidc-provider';
import type { Database } from '../../database/connection.js';
import type { Authenticator } from '../principal.js';
import { AccessTokens } from './access-tokens.js';
import { Clients } from './clients.js';
import { Grants } from './grants.js';
import { OAuthModels } from './models.js';

export const createAdapter =
  (db: Database, authenticator: Authenticator, onBeginning: () => Promise<void>): AdapterFactory =>
  (model) => {
    if (model === 'Client') return new Clients(db);
    if (model === 'Grant') return new Grants(db);
    if (model === 'AccessToken') return new AccessTokens(db, authenticator);
    return new OAuthModels(db, model, onBeginning);
  };
