/** A token that was issued: what it is for and when it ends. */
export interface IssuedToken {
  readonly scopes: readonly string[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The tokens that were issued and that have not expired. */
export interface TokenStore {
  readonly add: (text: string, token: IssuedToken) => void;
  /** The token of this text, unless there is none or it has expired. */
  readonly find: (text: string) => IssuedToken | undefined;
}

export function createTokenStore(now: () => number): TokenStore {
  const tokens = new Map<string, IssuedToken>();
  return {
    add: (text, token) => void tokens.set(text, token),
    find(text) {
      const token = tokens.get(text);
      if (token && token.expiresAt > now()) return token;
      tokens.delete(text);
      return undefined;
    },
  };
}
