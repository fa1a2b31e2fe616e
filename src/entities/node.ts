import { Field, InterfaceType } from 'type-graphql';
import { UUID } from '../scalars/scalars.js';

/**
 * The record types that a caller can read by id alone (graph/nodes.ts). They are in the schema
 * anyway; registering them would add the common class of definitions too.
 */
@InterfaceType({
  autoRegisterImplementations: false,
  description: 'A record that the queries `node` and `nodes` return by its id, a UUID.',
})
export abstract class Node {
  @Field(() => UUID, { description: 'The id of the record.' })
  id!: string;
}
