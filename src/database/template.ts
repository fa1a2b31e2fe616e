/** Says where in a text a value stands, which `read` finds in what the statement is given. */
export type Add<Given> = (read: (given: Given) => unknown) => string;

/** A statement whose text is made once: only its values are read anew. */
export class Template<Given> {
  readonly text: string;
  readonly #reads: ((given: Given) => unknown)[] = [];

  constructor(make: (add: Add<Given>) => string) {
    this.text = make((read) => `$${this.#reads.push(read)}`);
  }

  valuesFor(given: Given): unknown[] {
    return this.#reads.map((read) => read(given));
  }
}
