/** Sort orders of lists, besides the oldest change first. */
import { type ClassType, Field, InputType } from 'type-graphql';
import { isDay } from '../../scalars/day.js';
import { OrderDirection } from '../enums.js';
import type { Order } from './keyset.js';

/** Dates sort by value; a missing date sorts as infinity or -infinity. */
export const isDate = (text: string): boolean => isDay(text) || /^-?infinity$/.test(text);

/** Sorts long names by a prefix, so that cursors stay short. */
export const orderedLength = 60;
export const isBeginning = (text: string): boolean => [...text].length <= orderedLength;

/** The sort order in a request. */
export interface OrderBy<Name extends string> {
  readonly field: Name;
  readonly direction?: 'asc' | 'desc' | null;
}

/** Creates the input type of an order from an enumeration of sort keys. */
export function orderByOf<Name extends string>(
  name: string,
  fields: Record<string, Name>,
): ClassType<OrderBy<Name>> {
  @InputType(name, { description: 'The order of the list. Ties are ordered by id.' })
  class OrderByField {
    @Field(() => fields, { description: 'The sort key.' })
    field!: Name;

    @Field(() => OrderDirection, {
      nullable: true,
      description: 'The direction. Defaults to ascending.',
    })
    direction?: 'asc' | 'desc' | null;
  }
  return OrderByField;
}

/** The requested sort order; undefined for the default. */
export function orderOf<Name extends string>(
  orders: Readonly<Record<Name, Omit<Order, 'isDescending'>>>,
  orderBy: OrderBy<Name> | null | undefined,
): Order | undefined {
  if (!orderBy) return undefined;
  const isDescending = orderBy.direction === 'desc';
  return orderBy.field === 'updated_at' && !isDescending
    ? undefined
    : { ...orders[orderBy.field], isDescending };
}
