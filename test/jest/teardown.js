export { globalTeardown as default } from '../../dist/test/support/global.js';
