/** The values of a statement, numbered in the order in which they are added. */
export class Values {
  readonly all: unknown[] = [];
  add = (value: unknown): string => `$${this.all.push(value)}`;
}
