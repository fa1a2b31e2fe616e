/** What lists can be ordered by, besides the oldest change first. */
import { type ClassType, Field, InputType } from 'type-graphql';
import { isDay } from '../entities/day.js';
import { OrderDirection } from './enums.js';
import type { Order } from './keyset.js';

/** Dates order by themselves or, where there is none, by an end of time. */
export const isDate = (text: string): boolean => isDay(text) || /^-?infinity$/.test(text);

/** Longer names order by their beginning, so that a cursor stays short. */
export const orderedLength = 60;
export const isBeginning = (text: string): boolean => [...text].length <= orderedLength;

/** How a client asks for an order. */
export interface OrderBy<Name extends string> {
  readonly field: Name;
  readonly direction?: 'asc' | 'desc' | null;
}

/** The input type of an order by one of the fields of an enumeration. */
export function orderByOf<Name extends string>(name: string, fields: Record<string, Name>): ClassType<OrderBy<Name>> {
  @InputType(name, { description: 'An order of the list; the id breaks ties.' })
  class OrderByField {
    @Field(() => fields, { description: 'What to order by.' })
    field!: Name;

    @Field(() => OrderDirection, { nullable: true, description: 'Which end comes first: the least, when left out.' })
    direction?: 'asc' | 'desc' | null;
  }
  return OrderByField;
}

/** The order that a client asks for; undefined for the one that every list has without asking. */
export function orderOf<Name extends string>(
  orders: Readonly<Record<Name, Omit<Order, 'isDescending'>>>,
  orderBy: OrderBy<Name> | null | undefined,
): Order | undefined {
  if (!orderBy) return undefined;
  const isDescending = orderBy.direction === 'desc';
  return orderBy.field === 'updated_at' && !isDescending ? undefined : { ...orders[orderBy.field], isDescending };
}
