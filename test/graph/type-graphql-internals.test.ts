/** The metadata of Type-GraphQL that src/graph/type-graphql-internals.ts reads is there. */
import 'reflect-metadata';
import {
  Arg,
  Args,
  ArgsType,
  buildSchemaSync,
  Ctx,
  createParameterDecorator,
  Field,
  FieldResolver,
  Info,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import {
  inputPrototypes,
  resolverMethods,
  verifiedVersions,
} from '../../src/graph/type-graphql-internals.js';
import { expectInstalled } from '../support/verified.js';

@ObjectType('InternalsThing')
class Thing {
  @Field() name!: string;
}

@InputType('InternalsInput')
class ThingInput {
  @Field() name!: string;
}

@ArgsType()
class ThingArgs {
  @Field() name!: string;
}

const Own = () => createParameterDecorator(() => 'own');

@Resolver(() => Thing)
class ThingResolver {
  readonly prefix = 'a ';
  @Query(() => Thing)
  internalsThing(
    @Arg('name') name: string,
    @Ctx() _: unknown,
    @Info() __: unknown,
    @Own() own: string,
  ) {
    return { name: this.prefix + name + own };
  }
  @Mutation(() => Thing)
  internalsRename(@Arg('input', () => ThingInput) input: ThingInput) {
    return input;
  }
  @FieldResolver(() => String)
  renamed(@Root() thing: Thing, @Args(() => ThingArgs) { name }: ThingArgs) {
    return `${thing.name} ${name}`;
  }
}

const schema = buildSchemaSync({ resolvers: [ThingResolver], validate: false });

test('the installed version is the one that was verified', () => expectInstalled(verifiedVersions));

test('each field has its method, and each parameter its source', () => {
  const methods = resolverMethods(schema).map(({ field, parameters }) => [
    field.name,
    parameters.map((each) => ('name' in each ? `${each.kind} ${each.name}` : each.kind)),
  ]);
  expect(Object.fromEntries(methods)).toEqual({
    internalsThing: ['arg name', 'context', 'info', 'custom'],
    internalsRename: ['arg input'],
    renamed: ['root', 'args'],
  });
});

test('a method is bound to an instance, and a parameter of our own has its function', () => {
  const method = resolverMethods(schema).find(({ field }) => field.name === 'internalsThing');
  expect(method?.call('name')).toEqual({ name: 'a nameundefined' });
  const own = method?.parameters.at(-1);
  expect(own?.kind === 'custom' && own.resolver({} as never)).toBe('own');
});

test('each input type has the prototype of its class', () => {
  const found = inputPrototypes(schema).map(([{ name }, prototype]) => [name, prototype]);
  expect(found).toEqual([['InternalsInput', ThingInput.prototype]]);
});
