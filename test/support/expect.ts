/** Assertions with a message that narrow a type, and a matcher made of a predicate. */

/** @throws {Error} with the message when the condition is falsy. Narrows types. */
export function ensure(
  condition: unknown,
  message = 'The condition does not hold.',
): asserts condition {
  if (!condition) throw new Error(message);
}

/** Fails the test. */
export function fail(message = 'This place must not be reached.'): never {
  throw new Error(message);
}

/** An asymmetric matcher for values that the predicate returns true for. */
// biome-ignore lint/suspicious/noExplicitAny: as the types of Jest's own asymmetric matchers
export const satisfying = <Value>(predicate: (value: Value) => unknown): any => ({
  $$typeof: Symbol.for('jest.asymmetricMatcher'),
  asymmetricMatch: (value: Value) => predicate(value) === true,
  toAsymmetricMatcher: () => `satisfying<${predicate}>`,
  toString: () => 'satisfying',
});
