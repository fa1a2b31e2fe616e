/** Files that are generated from the code and committed. */
export function writeGenerated(): void {}
