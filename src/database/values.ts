/** Values of a statement, numbered as they come. */
export class Values {
  readonly all: unknown[] = [];
  add = (value: unknown): string => `$${this.all.push(value)}`;
}
