import type { Adapter, AdapterPayload } from 'oidc-provider';

const unsupported = () =>
  Promise.reject(new Error('oidc-provider uses this method for other models only'));

/** Base of the adapters: each model overrides the methods that it needs. */
export abstract class Store implements Adapter {
  abstract find(id: string): Promise<AdapterPayload | undefined>;
  /** @param expiresIn In seconds. */
  upsert(_id: string, _payload: AdapterPayload, _expiresIn?: number): Promise<void> {
    return unsupported();
  }
  findByUid(_uid: string): Promise<AdapterPayload | undefined> {
    return unsupported();
  }
  findByUserCode(_userCode: string): Promise<undefined> {
    return unsupported();
  }
  consume(_id: string): Promise<void> {
    return unsupported();
  }
  destroy(_id: string): Promise<void> {
    return unsupported();
  }
  /**
   * Does nothing: rows that reference a grant are deleted with its row, which oidc-provider always
   * deletes too.
   */
  async revokeByGrantId(_grantId: string): Promise<void> {}
}
