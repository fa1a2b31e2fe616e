/**
 * Disposes of a resource after the file's last test. Called while the file is loaded; a test uses
 * `await using` instead.
 */
export function untilEnd<Resource extends AsyncDisposable>(resource: Resource): Resource {
  afterAll(() => resource[Symbol.asyncDispose]());
  return resource;
}
