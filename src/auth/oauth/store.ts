import type { Adapter, AdapterPayload } from 'oidc-provider';

const unsupported = () => Promise.reject(new Error('oidc-provider asks this of other models alone'));

/** An adapter of which each model overrides what is asked of it. */
export abstract class Store implements Adapter {
  abstract find(id: string): Promise<AdapterPayload | undefined>;
  /** @param expiresIn Seconds. */
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
  /** Nothing: what hangs on a grant goes with its row, and oidc-provider always deletes that, too. */
  async revokeByGrantId(_grantId: string): Promise<void> {}
}
