#!/usr/bin/env node
/** Starts the command line from what V8 compiled the last time: that halves the time until the first answer. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./cli.js');
