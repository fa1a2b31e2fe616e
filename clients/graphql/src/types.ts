/** Operations, and the responses to them. */

/** A document, with the types of its variables and its result. */
export interface Operation<Variables, Data> {
  readonly name: string;
  readonly text: string;
  /** Type information only; never set. */
  readonly types?: (variables: Variables) => Data;
}

/** The cost of an operation, computed before its execution, and the limit of the server. */
export interface Cost {
  readonly requested: number;
  readonly limit: number;
}

export interface Result<Data> {
  readonly data: Data;
  readonly cost: Cost | undefined;
}

/** One error of a response. */
export interface GraphQLProblem {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: {
    readonly code?: string;
    readonly request_id?: string;
    readonly retry_after?: number;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

export interface Reply {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLProblem[];
  readonly extensions?: { readonly cost?: Cost };
}
