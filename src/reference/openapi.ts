/** The parts of the OpenAPI document that the reference reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: string;
}

interface Content {
  readonly 'application/json': {
    readonly schema: Schema;
    readonly example?: unknown;
    readonly examples?: Readonly<
      Record<string, { readonly summary: string; readonly value: unknown }>
    >;
  };
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}

export interface Reference {
  readonly $ref: string;
}

export interface Operation {
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly description: string; readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}

export interface OpenApi {
  readonly info: {
    readonly summary: string;
    readonly description: string;
    readonly version: string;
  };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

/** `#/components/schemas/Page` → `Page` */
export const refName = (reference: string): string => reference.split('/').at(-1) ?? '';
