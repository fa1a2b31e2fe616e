#!/usr/bin/env node
/** Starts the command line from what V8 compiled the last time: that halves the time until the first answer. */
import module from 'node:module';
import { setFlagsFromString } from 'node:v8';

if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(
    `Lanyard needs Node 24 or later; this is ${process.versions.node}. In a checkout, “npx lanyard” runs on the right one.\n`,
  );
  process.exit(2);
}
// Or V8 makes new objects among the old, from where they keep whole pages (docs/decisions/0032-garbage-dies-young.md).
setFlagsFromString('--no-allocation-site-pretenuring');
module.enableCompileCache();
await import('./cli.js');
