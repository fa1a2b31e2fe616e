/**
 * Loaded by the sign-in page where nobody is signed in. Tells the browser's other tabs, where a
 * dashboard may still be open.
 */
new BroadcastChannel('lanyard signed out').postMessage(null);
