/** The pages that a person passes while an app waits for authorization. */
import type { ParameterizedContext } from 'koa';
import { errors, type InteractionResults, type Provider } from 'oidc-provider';
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import { ApiError } from '../../errors.js';
import { sessionOf } from '../accounts/sessions.js';
import { audienceOf } from '../principal.js';
import { saveGrant } from './grants.js';
import { withinRequest } from './request.js';

type Interaction = InstanceType<Provider['Interaction']>;

/** An interaction: the authorization request that waits for a person. */
export interface InteractionDetails {
  readonly uid: string;
  /**
   * `login`: ask for password or passkey, even if a session exists; a session that suffices is
   * never sent here.
   * `consent`: ask whether to allow the app.
   */
  readonly prompt: 'login' | 'consent';
  readonly clientId: string;
  readonly appName: string;
  /** Identity scopes: `openid`, `profile`, `email`. */
  readonly scopes: readonly string[];
  /** The e-mail address that the app expects (`login_hint`). */
  readonly loginHint?: string;
}

/**
 * For the pages under /portal/interactions/{uid}. All methods but `details` redirect, and throw
 * `not_found` when the interaction has ended.
 */
export interface Interactions {
  /**
   * Undefined when the interaction is unknown, has ended, or belongs to another person than the
   * signed-in one.
   */
  details(ctx: ParameterizedContext): Promise<InteractionDetails | undefined>;
  /** Call it after the web session of the person was opened. */
  login(ctx: ParameterizedContext, userId: string): Promise<void>;
  consent(ctx: ParameterizedContext): Promise<void>;
  deny(ctx: ParameterizedContext): Promise<void>;
  /**
   * Asks for another sign-in. End the web session as well, otherwise the same person is recognized
   * again.
   */
  restart(ctx: ParameterizedContext): Promise<void>;
}

/** @param current Returns the current provider, which changes with the keys. */
export function createInteractions(
  config: Config,
  db: Database,
  current: () => Provider,
): Interactions {
  async function find(ctx: ParameterizedContext): Promise<Interaction | undefined> {
    const interaction = await current()
      .interactionDetails(ctx.req, ctx.res)
      .catch((error: unknown) => {
        if (error instanceof errors.SessionNotFound) return undefined;
        throw error;
      });
    if (interaction?.prompt.name !== 'consent') return interaction;
    // Another person may have signed in to this browser since; consent must come from the person of
    // the interaction.
    const session = await sessionOf(ctx, config, db);
    return session?.user.id === interaction.session?.accountId ? interaction : undefined;
  }

  async function expect(
    ctx: ParameterizedContext,
    prompt?: 'login' | 'consent',
  ): Promise<Interaction> {
    const interaction = await find(ctx);
    if (interaction && (prompt ?? interaction.prompt.name) === interaction.prompt.name)
      return interaction;
    throw new ApiError('not_found', 'This sign-in has ended: start again from the app.');
  }

  async function finish(ctx: ParameterizedContext, result: InteractionResults): Promise<void> {
    seeOther(ctx, await current().interactionResult(ctx.req, ctx.res, result));
  }

  /** Detaches the interaction from the previous provider session, which ends (see sessions.ts). */
  async function forgetPerson(interaction: Interaction): Promise<void> {
    interaction.session = undefined;
    await interaction.persist();
  }

  return {
    async details(ctx) {
      const interaction = await find(ctx);
      const {
        client_id: clientId,
        scope,
        login_hint: loginHint,
      } = (interaction?.params ?? {}) as Record<string, string | undefined>;
      const client = clientId && (await current().Client.find(clientId));
      if (!interaction || !client) return undefined;
      return {
        uid: interaction.uid,
        prompt: interaction.prompt.name as 'login' | 'consent',
        clientId: client.clientId,
        appName: client.clientName ?? client.clientId,
        scopes: scope?.split(' ') ?? [],
        ...(loginHint && { loginHint }),
      };
    },
    async login(ctx, userId) {
      const interaction = await expect(ctx, 'login');
      if (interaction.session && interaction.session.accountId !== userId)
        await forgetPerson(interaction);
      await finish(ctx, { login: { accountId: userId, remember: false } });
    },
    async consent(ctx) {
      const { session, params } = await expect(ctx, 'consent');
      const { client_id, scope } = params as { client_id: string; scope: string };
      const { requestId } = ctx.state as { requestId: string };
      const grant = await withinRequest({ requestId, path: ctx.path }, () =>
        saveGrant(current(), session?.accountId ?? '', client_id, scope, audienceOf(config)),
      );
      await finish(ctx, { consent: { grantId: grant.jti } });
    },
    async deny(ctx) {
      await expect(ctx);
      await finish(ctx, {
        error: 'access_denied',
        error_description: 'The person did not allow the app to sign them in.',
      });
    },
    async restart(ctx) {
      const interaction = await expect(ctx);
      await forgetPerson(interaction);
      seeOther(ctx, interaction.returnTo);
    },
  };
}

function seeOther(ctx: ParameterizedContext, location: string): void {
  ctx.redirect(location);
  ctx.status = 303;
}
