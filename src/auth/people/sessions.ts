/**
 * Web sessions: who is signed in, in which browser. The portal and the authorization server ask here alike, at each request, so that signing in
 * once is enough for both, and a sign-out (or a password change, or a disabled user) holds for both at once.
 */
import type { ParameterizedContext } from 'koa';
import { v7 as uuidv7 } from 'uuid';
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import { hasTls } from '../../portal/cookies.js';
