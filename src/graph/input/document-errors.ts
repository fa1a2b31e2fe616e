/** Errors of a GraphQL document, with their positions in it. */
import type { ASTNode, SourceLocation } from 'graphql';
import { ApiError, type ErrorCode, type ErrorDetails } from '../../errors.js';

/** Maximum number of positions in one error. */
const maxLocations = 10;

/** An error that a part of the document caused. */
export class LocatedError extends ApiError {
  readonly locations: readonly SourceLocation[];

  constructor(
    code: ErrorCode,
    message: string | undefined,
    details: ErrorDetails | undefined,
    locations: readonly SourceLocation[],
  ) {
    super(code, message, details);
    this.locations = locations.slice(0, maxLocations);
  }
}

/** All errors of a document. Code and status are those of the first. */
export class DocumentErrors extends ApiError {
  constructor(readonly errors: readonly [LocatedError, ...LocatedError[]]) {
    super(errors[0].code, errors[0].message, errors[0].details);
  }
}

/**
 * The positions of nodes. The tokens know theirs: graphql-js would count the lines of the document
 * again for each node of each error.
 */
export const locationsOf = (nodes: readonly ASTNode[] = []): SourceLocation[] =>
  nodes.flatMap(({ loc }) =>
    loc ? { line: loc.startToken.line, column: loc.startToken.column } : [],
  );
